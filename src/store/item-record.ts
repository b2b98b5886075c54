import type { ItemKind, Json, LexicalRow, Scope } from '../contracts/index.js';

/** Who, when and under which keywords: what the header of an item's chunks is made from, beside tags and path. */
export interface HeaderFields {
  speaker: string | null;
  author: string | null;
  keywords: string[];
  date: string | null;
}

/** An item ready to be written. Times are epoch milliseconds. */
export interface ItemRecord {
  id: string;
  scope: Scope;
  kind: ItemKind;
  title: string | null;
  text: string;
  uri: string | null;
  source: string | null;
  importance: number;
  strength: number;
  pinned: boolean;
  createdAt: number;
  occurredAt: number | null;
  expiresAt: number | null;
  tags: string[];
  header: HeaderFields;
  meta: { [key: string]: Json };
  /** Hash of the file it was read from; null for items that were added. */
  fileHash: string | null;
}

/** A chunk ready to be written. */
export interface PreparedChunk {
  ordinal: number;
  start: number;
  end: number;
  /** Where the chunk stands in the text as UTF-8, so that it can be read without decoding a whole document. */
  byteStart: number;
  byteLength: number;
  headingPath: readonly string[];
  /** Hash of what the embedder gets: header and text. */
  inputHash: Buffer;
  row: LexicalRow;
}
