import type { EmbeddingSpace } from './embedder.js';
import type { Scope, ScopeId, ScopeInput } from './scope.js';

/** What an item is. Only `memory` fades; `message` and `observation` are captured, `document` and `note` are authored. */
export type ItemKind = 'memory' | 'document' | 'message' | 'observation' | 'note';

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** An instant: epoch milliseconds, a `Date`, or an ISO 8601 string with a date and, when it has a time, an offset or `Z`. */
export type TimeInput = number | Date | string;

/** What {@link Memory.add} takes. `text` or `title` must hold something. */
export interface NewItem {
  /** Default: a new UUIDv7. An id that exists in the workspace is replaced. */
  id?: ScopeId | undefined;
  /** Default `memory`. */
  kind?: ItemKind | undefined;
  title?: string | undefined;
  text?: string | undefined;
  /** Where the text came from: a URL or a path relative to its source. */
  uri?: string | undefined;
  /** Name of the source that owns the item (a folder, a feed). */
  source?: string | undefined;
  scope?: ScopeInput | undefined;
  /** 0 to 1, default 0.5. */
  importance?: number | undefined;
  /** Above 0, default 1. */
  strength?: number | undefined;
  /** Default: now. */
  createdAt?: TimeInput | undefined;
  /** When the thing happened or was authored. */
  occurredAt?: TimeInput | undefined;
  /** From then on the item is out of search. */
  expiresAt?: TimeInput | undefined;
  pinned?: boolean | undefined;
  tags?: readonly string[] | undefined;
  /** Who said it; indexed with the text. */
  speaker?: string | undefined;
  /** Who wrote it; indexed with the text. */
  author?: string | undefined;
  /** Keywords given by the author; indexed with the text. */
  keywords?: readonly string[] | undefined;
  /** The date as the source wrote it (`1:56 pm on 8 May, 2023`); indexed with the text. */
  date?: string | undefined;
  /** Anything else, kept and returned as given. */
  meta?: { readonly [key: string]: Json } | undefined;
  /** A vector of the caller's own for the text, with its `space`: no embedder is called for it. */
  embedding?: readonly number[] | Float32Array | undefined;
  space?: EmbeddingSpace | undefined;
}

/** Fields of an item that {@link Memory.update} may change; `null` clears. Fields left out stay as they are. */
export interface ItemPatch {
  title?: string | null | undefined;
  text?: string | null | undefined;
  uri?: string | null | undefined;
  kind?: ItemKind | undefined;
  importance?: number | undefined;
  strength?: number | undefined;
  occurredAt?: TimeInput | null | undefined;
  expiresAt?: TimeInput | null | undefined;
  pinned?: boolean | undefined;
  tags?: readonly string[] | undefined;
  speaker?: string | null | undefined;
  author?: string | null | undefined;
  keywords?: readonly string[] | undefined;
  date?: string | null | undefined;
  meta?: { readonly [key: string]: Json } | null | undefined;
}

/** Whether an item takes part: `active`, or why it is out of search. */
export type ItemState = 'active' | 'archived' | 'superseded' | 'expired';

/** An item as the store holds it. Times are epoch milliseconds (UTC). */
export interface Item {
  id: string;
  kind: ItemKind;
  title: string | null;
  text: string;
  uri: string | null;
  source: string | null;
  scope: Scope;
  state: ItemState;
  importance: number;
  strength: number;
  accesses: number;
  lastAccess: number | null;
  createdAt: number;
  updatedAt: number;
  occurredAt: number | null;
  expiresAt: number | null;
  archivedAt: number | null;
  supersededBy: string | null;
  supersededAt: number | null;
  pinned: boolean;
  tags: string[];
  speaker: string | null;
  author: string | null;
  keywords: string[];
  date: string | null;
  meta: { [key: string]: Json };
  /** How many chunks the index holds for it. */
  chunks: number;
}
