import type { NewItem } from './item.js';
import type { ScopeInput } from './scope.js';

/** How far a long operation is. */
export interface Progress {
  phase: string;
  done: number;
  /** Absent while it is not known. */
  total?: number;
  /** What is being worked on, such as a file's relative path. */
  current?: string;
}

/** Options shared by operations that may take long. */
export interface LongOperation {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

export interface IngestOptions extends LongOperation {
  scope?: ScopeInput | undefined;
  /** Name of the source in the store; default the folder's absolute path. */
  source?: string | undefined;
  /** Files larger than this many bytes are skipped and reported; default 10 MiB. */
  maxFileBytes?: number | undefined;
  /** Only files whose relative path matches one of these globs; default every supported file. */
  include?: readonly string[] | undefined;
  /** Files that match one of these globs are left out. */
  exclude?: readonly string[] | undefined;
  /** Tags for every ingested item, beside the file's own. */
  tags?: readonly string[] | undefined;
  /**
   * Let a folder without any file to read remove everything the source had; default false: such a folder is
   * rather one that is not mounted, and the call fails.
   */
  allowEmpty?: boolean | undefined;
}

/** Why a file was passed over. */
export interface SkippedFile {
  path: string;
  /** Such as `binary`, `too-large`, `unreadable`, `symlink`, `empty`, `encoding`. */
  reason: string;
  detail?: string;
}

export interface IngestSummary {
  source: string;
  /** Files looked at that are of a supported kind. */
  files: number;
  added: number;
  updated: number;
  renamed: number;
  unchanged: number;
  removed: number;
  skipped: SkippedFile[];
  chunks: number;
  elapsedMs: number;
}

/** One file as a reader gives it: the item's fields, without scope. */
export type ReadItem = Omit<NewItem, 'scope' | 'id' | 'source'>;

/** Turns the decoded text of a file into an item. */
export interface Reader {
  name: string;
  /** Lower-case file extensions with the dot. */
  extensions: readonly string[];
  read(file: { path: string; text: string; modifiedAt: number }): ReadItem;
}
