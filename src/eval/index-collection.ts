import { defaults, type LongOperation, type Memory, type NewItem } from '../index.js';
import type { Collection, CollectionDocument } from './collection.js';

/**
 * Brings the documents of a collection into a store: item id = document id, nothing merged, a scope → a room.
 * Documents without text and title cannot be stored, nor found by anyone, and are left out.
 *
 * @returns how many were added
 */
export async function indexCollection(
  memory: Memory,
  collection: Collection,
  o: LongOperation = {},
): Promise<number> {
  const items = collection.documents.filter(holdsText).map(toItem);
  await memory.addMany(items, { signal: o.signal, onProgress: o.onProgress });
  return items.length;
}

function holdsText(document: CollectionDocument): boolean {
  return document.title !== null || document.text.trim() !== '';
}

function toItem(document: CollectionDocument): NewItem {
  return {
    id: document.id,
    // Who speaks takes part in a conversation.
    kind: document.header.speaker === undefined ? 'document' : 'message',
    title: document.title ?? undefined,
    text: document.text,
    scope: document.scope === null ? undefined : { room: document.scope },
    createdAt: defaults.eval.now,
    ...document.header,
  };
}
