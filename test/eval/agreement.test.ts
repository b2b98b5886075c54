import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evaluateCollection, type GroupResult, writeRun } from '../../src/eval/index.js';
import { collectionFolder } from '../../src/eval/test-support/collection-folder.js';
import { tempFolder } from '../support/temp.js';

const retrieval = resolve(import.meta.dirname, '..', '..', '../shared', 'retrieval');
const scorer = join(retrieval, 'ireval.js');

interface Scored {
  n: number;
  'nDCG@10': number;
  'MRR@10': number;
  MAP: number;
  'R@5': number;
  'R@10': number;
  'R@100': number;
}

function expectAgreement(ours: GroupResult, theirs: Scored): void {
  expect(ours.queries).toBe(theirs.n);
  const pairs = {
    'ndcg@10': theirs['nDCG@10'],
    'mrr@10': theirs['MRR@10'],
    map: theirs.MAP,
    'recall@5': theirs['R@5'],
    'recall@10': theirs['R@10'],
    'recall@100': theirs['R@100'],
  };
  for (const [name, value] of Object.entries(pairs)) {
    expect(Math.abs(ours.metrics[name as keyof typeof pairs] - value), name).toBeLessThan(1e-9);
  }
}

/** Words shared by many documents, judged in grades without regard to them: figures between 0 and 1 in two groups. */
function gradedCollection(): string {
  const words = ['heron', 'jay', 'swift', 'raven', 'crane', 'owl', 'finch'];
  const word = (i: number) => words[i % words.length] ?? '';
  const range = (n: number) => Array.from({ length: n }, (_, i) => i);
  return collectionFolder({
    corpus: range(60).map((i) => ({ id: `d${i}`, text: `${word(i)} ${word(i * i + 1)} ${word(i >> 2)}` })),
    queries: range(12).map((i) => ({
      id: `q${i}`,
      text: `${word(i)} ${word(3 * i + 2)}`,
      meta: i % 4 === 3 ? {} : { category: i % 2 === 0 ? 'even' : 'odd' },
    })),
    qrels: range(90).map((i) => `q${i % 11}\td${(i * 17) % 60}\t${i % 4}`),
  });
}

// Skipped where the labelled collections are not beside the repository; the counts of the test run say so.
describe.skipIf(!existsSync(scorer))(
  'figures agree with an independent scorer on the run that was written',
  () => {
    it.each([
      ['graded judgments in groups', gradedCollection],
      ['med', () => join(retrieval, 'med')],
    ])('%s', { timeout: 120_000 }, async (_, folder) => {
      const dir = folder();
      const result = await evaluateCollection(dir);
      const run = join(tempFolder(), 'run.trec');
      writeRun(run, result.run);
      const scored = JSON.parse(
        execFileSync('node', [scorer, dir, run, 'category'], { encoding: 'utf8' }),
      ) as {
        overall: Scored;
        groups: Record<string, Scored>;
      };
      expect(result.metrics['ndcg@10']).toBeGreaterThan(0.05);
      expect(result.metrics['ndcg@10']).toBeLessThan(0.95);
      expectAgreement(result, scored.overall);
      expect(Object.keys(result.byCategory)).toEqual(Object.keys(scored.groups));
      for (const [category, group] of Object.entries(result.byCategory)) {
        expectAgreement(group, scored.groups[category] as Scored);
      }
    });
  },
);
