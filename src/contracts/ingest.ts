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
  /** Relative to the source's root; a folder's ends in a slash, a line's in `:LINE` (from 1). */
  path: string;
  /** Such as `binary`, `too-large`, `unreadable`, `symlink`, `empty`, `encoding`, `bad-line`. */
  reason: string;
  detail?: string;
}

export interface IngestSummary {
  source: string;
  /** Files looked at that are of a supported kind. */
  files: number;
  /** From here on items: a file of JSON Lines has one a line. */
  added: number;
  updated: number;
  renamed: number;
  unchanged: number;
  removed: number;
  skipped: SkippedFile[];
  chunks: number;
  elapsedMs: number;
}

/** How {@link watchFolder} waits and whom it tells. */
export interface WatchOptions {
  /** Ends the watch. */
  signal: AbortSignal;
  /** A sync starts when nothing has changed for so long; default 300. */
  debounceMs?: number | undefined;
  /** A sync starts at the latest so long after the first change; default 2000. */
  maxWaitMs?: number | undefined;
  /** Look at the files again and again, for file systems that report no changes; default false. */
  usePolling?: boolean | undefined;
  /** Absolute paths whose changes do not count: the store's own files. */
  avoid?: readonly string[] | undefined;
  onSync?: ((summary: IngestSummary) => void) | undefined;
  /** A sync or the watching itself failed. It goes on, and tries again. */
  onError?: ((error: unknown) => void) | undefined;
}

/** What `Memory.watch` takes: how to ingest, and how to watch. */
export interface FolderWatchOptions
  extends Omit<IngestOptions, 'signal' | 'onProgress'>,
    Omit<WatchOptions, 'avoid'> {}

/** One file, or one record of a file, as a reader gives it: the item's fields, without scope. */
export type ReadItem = Omit<NewItem, 'scope' | 'id' | 'source'>;

/** One record of a file, with the id that it gives itself. */
export interface ReadRecord {
  id?: string;
  item: ReadItem;
}

/** One record of a file that holds many, to be read when it is not known yet. */
export interface RecordLine {
  /** Where it stands, from 1. */
  line: number;
  /** All that {@link read} depends on. A record of the same content is not read again. */
  content: string;
  /** @throws Error whose message says what is wrong with the line. */
  read(): ReadRecord;
}

/** The decoded text of a file. */
export interface ReadFile {
  path: string;
  text: string;
  modifiedAt: number;
}

interface ReaderBase {
  name: string;
  /** Lower-case file extensions with the dot. */
  extensions: readonly string[];
  /** Whole file names in lower case, such as `makefile`. */
  names?: readonly string[] | undefined;
  /** Larger files are skipped, also where the call allows more. */
  maxBytes?: number | undefined;
  /** The encoding that a file names itself, from its first bytes read as Latin-1. */
  declaredCharset?: ((head: string) => string | undefined) | undefined;
}

/** Turns the text of a file into one item. */
export interface FileReader extends ReaderBase {
  read(file: ReadFile): ReadItem;
}

/** Finds the records of a file, each of which becomes an item. */
export interface RecordsReader extends ReaderBase {
  records(file: ReadFile): Iterable<RecordLine>;
}

/** Turns the decoded text of a file into items. */
export type Reader = FileReader | RecordsReader;
