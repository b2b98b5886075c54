import { expect, it } from 'vitest';
import { compare } from './compare.js';
import type { SetResult } from './evaluate.js';
import { forEachMetric } from './metrics.js';
import { makeReport, renderReport } from './report.js';

const result = (name: string, value: number): SetResult => ({
  name,
  queries: 2,
  metrics: forEachMetric(() => value),
  byCategory: { habit: { queries: 1, metrics: forEachMetric(() => value / 2) } },
  latencyMs: { p50: 1.23456, p95: 12 },
  options: {
    limit: 100,
    streams: ['lexical'],
    fusion: 'rrf',
    weights: { lexical: 1, exact: 0.5, vector: 1, entity: 0.5, graph: 0.3 },
    prior: 'off',
    embedder: 'none',
  },
  perQuery: [{ set: name, query: 'q1', metrics: forEachMetric(() => value) }],
  run: new Map([['q1', ['d1']]]),
  degraded: [],
});

it('has the keys that are promised, and a mean over sets', () => {
  const report = makeReport([result('birds', 0.5), result('fish', 1)]);
  expect(Object.keys(report)).toEqual(['sets', 'mean']);
  expect(Object.keys(report.sets[0] ?? {})).toEqual([
    'name',
    'queries',
    'metrics',
    'byCategory',
    'latencyMs',
    'options',
  ]);
  expect(Object.keys(report.mean)).toEqual([
    'ndcg@10',
    'recall@5',
    'recall@10',
    'recall@100',
    'mrr@10',
    'map',
  ]);
  expect(report.mean.map).toBe(0.75);
  expect(report.sets[0]?.latencyMs).toEqual({ p50: 1.235, p95: 12 });
});

it('is a table with aligned columns, categories below their set and a mean below several sets', () => {
  expect(renderReport(makeReport([result('birds', 0.5), result('fish', 1)]))).toBe(
    [
      'set      queries  ndcg@10  recall@5  recall@10  recall@100  mrr@10     map  p50 ms  p95 ms',
      'birds          2   0.5000    0.5000     0.5000      0.5000  0.5000  0.5000    1.24   12.00',
      '  habit        1   0.2500    0.2500     0.2500      0.2500  0.2500  0.2500',
      'fish           2   1.0000    1.0000     1.0000      1.0000  1.0000  1.0000    1.24   12.00',
      '  habit        1   0.5000    0.5000     0.5000      0.5000  0.5000  0.5000',
      'mean               0.7500    0.7500     0.7500      0.7500  0.7500  0.7500',
      '',
    ].join('\n'),
  );
});

it('adds a comparison when there is one', () => {
  const [before, now] = [result('birds', 0.5), result('birds', 0.75)];
  const comparison = compare(before.perQuery, now.perQuery);
  const report = makeReport([now], comparison);
  expect(report.comparison).toEqual(comparison);
  const line = renderReport(report)
    .split('\n')
    .find((row) => row.startsWith('birds') && row.includes('ndcg@10'));
  expect(line?.split(/\s{2,}/)).toEqual([
    'birds',
    '1',
    'ndcg@10',
    '+0.2500',
    '+0.2500 to +0.2500',
    '1',
    '0',
    '0',
  ]);
});
