import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is gone after the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'corvid-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface CollectionFiles {
  corpus: readonly object[];
  queries: readonly object[];
  /** Lines below the header. */
  qrels: readonly string[];
}

/** Writes a collection in the neutral format into a folder of the given name and returns its path. */
export function collectionFolder(files: Partial<CollectionFiles> = {}, dir = tempFolder()): string {
  const { corpus, queries, qrels } = { ...birds, ...files };
  const jsonLines = (objects: readonly object[]) => objects.map((o) => `${JSON.stringify(o)}\n`).join('');
  writeFileSync(join(dir, 'corpus.jsonl'), jsonLines(corpus));
  writeFileSync(join(dir, 'queries.jsonl'), jsonLines(queries));
  writeFileSync(join(dir, 'qrels.tsv'), ['query-id\tcorpus-id\tscore', ...qrels, ''].join('\n'));
  return dir;
}

/** Four documents and three judged queries, each answered by words of one document. */
export const birds: CollectionFiles = {
  corpus: [
    { id: 'd1', title: 'Herons', text: 'The heron stands in shallow water and waits for a fish.' },
    { id: 'd2', title: 'Jays', text: 'A jay hides acorns in autumn and finds them in winter.' },
    { id: 'd3', text: 'Swifts sleep on the wing, high above the town.' },
    {
      id: 'd4',
      title: '',
      text: 'Ravens play in the snow.',
      meta: { author: 'Ilse Brandt', keywords: 'corvids; games, snow' },
    },
  ],
  queries: [
    { id: 'q1', text: 'Which bird waits in shallow water?', meta: { category: 'habit' } },
    { id: 'q2', text: 'Where do swifts sleep?', meta: { category: 'place' } },
    { id: 'q3', text: 'Who hides acorns?', meta: { category: 'habit' } },
    { id: 'q4', text: 'What does nobody know?' },
  ],
  qrels: ['q1\td1\t2', 'q2\td3\t1', 'q3\td2\t1', 'q3\td4\t0'],
};
