import type { AddResult, Analyzer, ResolvedViewer } from '../contracts/index.js';
import { prepareChunks, type ReadyChunk } from '../core/prepare-chunks.js';
import { canSee } from '../core/scope.js';
import { CorvidError, show } from '../errors.js';
import type { ItemRecord } from '../store/item-record.js';
import type { Store } from '../store/store.js';
import { sameRecord } from './item-fields.js';

/** An item with its chunks, ready for a transaction. Analysis happens before the write lock is taken. */
export interface ReadyItem {
  record: ItemRecord;
  chunks: readonly ReadyChunk[];
}

export function readyItem(record: ItemRecord, analyzer: Analyzer): ReadyItem {
  return { record, chunks: prepareChunks({ ...record, ...record.header }, analyzer) };
}

/**
 * Adds an item, or replaces the one with its id. An item is replaced only by somebody who may see it (or, where nobody
 * is named, by a caller that writes to its very scope); to all others its id is taken. Call inside a write.
 */
export function writeItem(
  store: Store,
  ready: ReadyItem,
  o: {
    viewer: ResolvedViewer;
    /** The caller said who writes: then only what that viewer sees is replaced, or compared with. */
    viewerGiven: boolean;
    analyzerVersion: number;
    now: number;
    createdAtGiven: boolean;
  },
): AddResult {
  const { record } = ready;
  const stored = store.items.findAny(record.scope.workspace, record.id, o.now);
  if (stored === null) {
    store.put(null, record, ready.chunks, o);
    return { id: record.id, status: 'added' };
  }
  const own = !o.viewerGiven && sameScope(stored.record, record);
  if (!own && !canSee(o.viewer, stored.item.scope)) {
    throw new CorvidError('id-conflict', `The id ${show(record.id)} cannot be used.`, {
      hint: 'Leave the id out to get a new one, or choose another.',
    });
  }
  const next = o.createdAtGiven ? record : { ...record, createdAt: stored.record.createdAt };
  if (stored.item.archivedAt !== null) store.setArchived(stored.key, null, o.now);
  else if (sameRecord(stored.record, next)) return { id: record.id, status: 'unchanged' };
  store.put(stored.key, next, ready.chunks, o);
  return { id: record.id, status: 'updated' };
}

function sameScope(a: ItemRecord, b: ItemRecord): boolean {
  return (
    a.scope.workspace === b.scope.workspace &&
    a.scope.project === b.scope.project &&
    a.scope.visibility === b.scope.visibility &&
    a.scope.user === b.scope.user &&
    a.scope.room === b.scope.room
  );
}
