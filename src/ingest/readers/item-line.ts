import type { ItemKind, ReadItem, ReadRecord } from '../../contracts/index.js';
import { JsonObject } from './json-object.js';

const KINDS: readonly ItemKind[] = ['memory', 'document', 'message', 'observation', 'note'];

/** Who may see an item, and vectors, are said by the call that ingests, never by a file. */
const REFUSED = ['scope', 'embedding', 'space'];

/**
 * A line with the fields of a new item; `kind` is `document` where it says none. Fields that an item does not
 * have go to its meta.
 *
 * @throws Error with what is wrong with the line.
 */
export function readItemLine(line: string): ReadRecord {
  const fields = new JsonObject(line);
  fields.refuse(REFUSED);
  const id = fields.id();
  const item: ReadItem = {
    kind: fields.choice('kind', KINDS) ?? 'document',
    title: fields.text('title'),
    text: fields.text('text'),
    tags: fields.texts('tags'),
    keywords: fields.texts('keywords'),
    speaker: fields.text('speaker'),
    author: fields.text('author'),
    date: fields.text('date'),
    importance: fields.number('importance', (value) => value >= 0 && value <= 1),
    strength: fields.number('strength', (value) => value > 0 && value <= 1e6),
    pinned: fields.flag('pinned'),
    createdAt: fields.time('createdAt'),
    occurredAt: fields.time('occurredAt'),
    expiresAt: fields.time('expiresAt'),
    meta: fields.rest(),
  };
  if (!item.title?.trim() && !item.text?.trim()) throw new Error('neither text nor title');
  return id === undefined ? { item } : { id, item };
}
