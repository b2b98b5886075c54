import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { forEachMetric } from './metrics.js';
import { readPerQuery, writePerQuery } from './per-query.js';
import { tempFolder } from './test-support/collection-folder.js';

const entry = { set: 'birds', query: 'q1', metrics: forEachMetric(() => 1 / 3) };

it('keeps figures exactly, one query a line', () => {
  const path = join(tempFolder(), 'queries.jsonl');
  const entries = [entry, { ...entry, query: 'q2' }];
  writePerQuery(path, entries);
  expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(3);
  expect(readPerQuery(path)).toEqual(entries);
});

it.each([
  ['{}', /line 2 has not set, query and metrics/],
  [JSON.stringify({ ...entry, query: 'q2', metrics: { map: 1 } }), /line 2 has a ndcg@10 that is no number/],
  [JSON.stringify(entry), /line 2 repeats query "q1" of set "birds"/],
])('names the line that is wrong: %s', (line, message) => {
  const path = join(tempFolder(), 'queries.jsonl');
  writeFileSync(path, `${JSON.stringify(entry)}\n${line}\n`);
  expect(() => readPerQuery(path)).toThrow(message);
});
