import type { Clock } from './clock.js';
import type { DoctorOptions, DoctorReport } from './doctor.js';
import type { EmbedderSpec } from './embedder.js';
import type { FolderWatchOptions, IngestOptions, IngestSummary, LongOperation } from './ingest.js';
import type { Item, ItemKind, ItemPatch, NewItem } from './item.js';
import type { ScopeId, ScopeInput, Viewer } from './scope.js';
import type { Include, SearchFilter, SearchOptions, SearchResult } from './search.js';

/** How {@link open} opens a store. */
export interface OpenOptions {
  /**
   * The database file; `:memory:` for one that is gone at close. Default: `CORVID_DB`, else the nearest
   * `.corvid/corvid.db` from the current folder upwards, else `corvid/corvid.db` in the user's data folder.
   */
  path?: string | undefined;
  /** Open for reading only; default: only when the file cannot be written. */
  readOnly?: boolean | undefined;
  /** Make the file (and its folder) when it is missing; default true. */
  create?: boolean | undefined;
  /** `wal` (default), or `delete` for file systems without shared memory. */
  journalMode?: 'wal' | 'delete' | undefined;
  /** How long a write waits for another process, in milliseconds; default 5000. */
  busyTimeoutMs?: number | undefined;
  /** Scope for new items that name none. */
  scope?: ScopeInput | undefined;
  /** Viewer for calls that name none. */
  viewer?: Viewer | undefined;
  clock?: Clock | undefined;
  /** Turns texts into vectors; default `none`. Variables of the environment name servers and keys (see EmbedderConfig). */
  embedder?: EmbedderSpec | undefined;
  /**
   * The embedder that the vectors in the store are of, when `embedder` is another one: they go on answering until
   * `reembed` has built the new ones. Not needed where both are models of one server.
   */
  formerEmbedder?: EmbedderSpec | undefined;
}

/** Options of calls that look at, or change, one item. */
export interface ItemOptions {
  viewer?: Viewer | undefined;
  signal?: AbortSignal | undefined;
}

export interface AddOptions extends ItemOptions {
  /** `embedded`: settle only when the new chunks have their vectors (or the embedder failed); default: at once. */
  wait?: 'embedded' | undefined;
}

export interface AddManyOptions extends AddOptions, LongOperation {
  /** Items a transaction; default 500. When a batch fails none of it is kept, earlier batches stay. */
  batchSize?: number | undefined;
}

export interface AddResult {
  id: string;
  /** `updated`: the id was there with another content; `unchanged`: with the same. */
  status: 'added' | 'updated' | 'unchanged';
}

export interface ListOptions extends ItemOptions {
  /** 1 to 1000; default 100. */
  limit?: number | undefined;
  /** From the `cursor` of the page before. */
  cursor?: string | undefined;
  filter?: Omit<SearchFilter, 'minLexical' | 'minCosine'> | undefined;
  include?: readonly Include[] | undefined;
  now?: SearchOptions['now'];
}

/** Newest first (by creation, then id). `cursor` is null on the last page. */
export interface ListResult {
  items: Item[];
  cursor: string | null;
}

export interface RemoveResult {
  id: string;
  /** False when the viewer sees no such item. */
  removed: boolean;
}

export interface ForgetResult extends RemoveResult {
  /** False while another process still reads an older state: the write-ahead log is emptied when it ends. */
  erased: boolean;
}

/** State of the vectors of the configured embedder. */
export interface EmbedResult {
  /** Chunks with a vector. */
  embedded: number;
  /** Chunks that wait for one. */
  pending: number;
  /** Of these, those whose last attempt failed. */
  failed: number;
  total: number;
}

/** What the viewer's part of the store holds; file figures are of the whole file. */
export interface Status {
  path: string;
  readOnly: boolean;
  schemaVersion: number;
  analyzerVersion: number;
  journalMode: string;
  sizeBytes: number;
  items: {
    total: number;
    active: number;
    archived: number;
    superseded: number;
    expired: number;
    byKind: Record<ItemKind, number>;
  };
  chunks: number;
  /** `updatedAt`: the latest change of an item of the source. */
  sources: { name: string; items: number; updatedAt: number }[];
  embedder: string;
  /** Of the configured embedder's vectors; where there are none, of those being built, else of those that serve. */
  embeddings: {
    embedded: number;
    pending: number;
    failed: number;
    /** Why the latest of the failed texts that the viewer may see has no vector yet. */
    lastError: string | null;
  };
}

/** A store of items that can be searched. Every call may reject with a CorvidError. */
export interface Memory extends AsyncDisposable {
  /** Adds an item, or replaces the one with the same id. */
  add(item: NewItem, o?: AddOptions): Promise<AddResult>;
  /** Adds items in batches, one transaction a batch, in the order given. */
  addMany(items: Iterable<NewItem> | AsyncIterable<NewItem>, o?: AddManyOptions): Promise<AddResult[]>;
  /** Brings a folder (or one file) into the store and keeps it true: changed files are updated, missing ones removed. */
  ingest(path: string, o?: IngestOptions): Promise<IngestSummary>;
  /** Ingests a folder, and again whenever something in it changes, until the signal ends it. */
  watch(path: string, o: FolderWatchOptions): Promise<void>;
  /** The items that matter most to a text, best first. No text makes it fail. */
  search(text: string, o?: SearchOptions): Promise<SearchResult>;
  /** The item, in whatever state, or null when the viewer sees no such item. */
  get(id: ScopeId, o?: ItemOptions): Promise<Item | null>;
  list(o?: ListOptions): Promise<ListResult>;
  /** Changes fields of an item. Rejects with `not-found` when the viewer sees no such item. */
  update(id: ScopeId, patch: ItemPatch, o?: ItemOptions): Promise<Item>;
  /** Takes an item out of search and keeps it. */
  archive(id: ScopeId, o?: ItemOptions): Promise<Item>;
  /** Brings an archived item back. */
  restore(id: ScopeId, o?: ItemOptions): Promise<Item>;
  /** Takes an item out of the store and its indexes. */
  remove(id: ScopeId, o?: ItemOptions): Promise<RemoveResult>;
  /** Removes an item and leaves none of its bytes in the file or its write-ahead log. */
  forget(id: ScopeId, o?: ItemOptions): Promise<ForgetResult>;
  status(o?: ItemOptions): Promise<Status>;
  /** Embeds what has no vector yet, tries failed texts again, and waits. Rejects with `stale-vectors`, or without an embedder. */
  embed(o?: LongOperation): Promise<EmbedResult>;
  /** Builds the vectors of the configured embedder beside those that serve, then switches to them at once. Can be repeated to go on. */
  reembed(o?: LongOperation): Promise<EmbedResult>;
  /** Looks whether file, index and vectors agree with the texts, and mends what can be made anew. */
  doctor(o?: DoctorOptions): Promise<DoctorReport>;
  /** Waits until deferred work is done; texts that the embedder failed on are left waiting. */
  drain(o?: LongOperation): Promise<void>;
  /** Finishes deferred work and closes the file. Later calls reject with `closed`. */
  close(): Promise<void>;
}
