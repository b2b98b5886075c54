import type { Analyzer, NewItem, ReadItem, Scope, SyncChange, SyncTarget } from '../contracts/index.js';
import { CorvidError, show } from '../errors.js';
import type { ItemRecord } from '../store/item-record.js';
import type { Store } from '../store/store.js';
import { toRecord } from './item-fields.js';
import { type ReadyItem, readyItem } from './write-item.js';

/** Where the files of one source go: items of one scope, kept through edits and renames, one transaction a batch. */
export function sourceTarget(
  store: Store,
  analyzer: Analyzer,
  o: { source: string; scope: Scope; tags: readonly string[]; now: () => number },
): SyncTarget {
  const { scope, source } = o;
  const ready = (change: Extract<SyncChange, { op: 'put' | 'rename' }>): ReadyItem => {
    const id = change.id ?? (change.op === 'put' ? change.newId : undefined);
    const input: NewItem = {
      ...change.item,
      ...(id === undefined ? {} : { id }),
      uri: change.path,
      source,
      scope,
      tags: [...(change.item.tags ?? []), ...o.tags],
    };
    return readyItem({ ...toRecord(input, undefined, o.now()), fileHash: change.hash }, analyzer);
  };
  return {
    entries: () => store.sources.entries(scope, source),
    hasId: (id) => store.items.findAny(scope.workspace, id, o.now()) !== null,
    apply(changes: readonly SyncChange[]): number {
      const prepared = changes.map((change) => (change.op === 'remove' ? null : ready(change)));
      let chunks = 0;
      store.write(() => {
        const now = o.now();
        changes.forEach((change, i) => {
          const item = prepared[i];
          // Another sync of the same folder may have added the file since this one looked.
          const id =
            change.id ?? (change.op === 'put' ? store.sources.itemAt(scope, source, change.path) : undefined);
          const stored = id === undefined ? null : store.items.findAny(scope.workspace, id, now);
          if (change.op === 'remove') {
            if (stored) store.remove(stored.key, now);
            return;
          }
          if (!item) throw new CorvidError('internal', `No item was prepared for ${change.path}.`);
          // Between the question whether it is free and now, another process may have taken it.
          if (stored === null && change.op === 'put' && change.newId !== undefined) {
            if (store.items.findAny(scope.workspace, change.newId, now) !== null) throw idTaken(change.newId);
          }
          const record = stored ? keepByHand(item.record, change.item, stored.record) : item.record;
          store.put(stored?.key ?? null, record, item.chunks, { analyzerVersion: analyzer.version, now });
          chunks += item.chunks.length;
        });
        const id = store.sources.find(scope.workspace, source);
        if (id !== undefined) store.sources.markSynced(id, now);
      });
      return chunks;
    },
  };
}

/** What a user set in the store, and the file does not say, outlives an edit of the file. Tags and meta are the file's. */
function keepByHand(record: ItemRecord, said: ReadItem, stored: ItemRecord): ItemRecord {
  return {
    ...record,
    id: stored.id,
    createdAt: stored.createdAt,
    pinned: said.pinned === undefined ? stored.pinned : record.pinned,
    importance: said.importance === undefined ? stored.importance : record.importance,
    strength: said.strength === undefined ? stored.strength : record.strength,
    expiresAt: said.expiresAt === undefined ? stored.expiresAt : record.expiresAt,
  };
}

function idTaken(id: string): CorvidError {
  return new CorvidError('id-conflict', `The id ${show(id)} has been taken by another item.`, {
    hint: 'Ingest again: the line is then reported and the others go in.',
  });
}
