import { describe, expect, it } from 'vitest';
import { compare } from './compare.js';
import { forEachMetric, type Metrics } from './metrics.js';
import type { PerQuery } from './per-query.js';

const all = (value: number): Metrics => forEachMetric(() => value);
const evaluation = (set: string, values: readonly number[]): PerQuery[] =>
  values.map((value, i) => ({ set, query: `q${i}`, metrics: all(value) }));

describe('compare', () => {
  it('counts wins, losses and ties, and takes the mean of now minus before', () => {
    const { queries, metrics } = compare(
      evaluation('birds', [0.2, 0.5, 0.5, 1]),
      evaluation('birds', [0.6, 0.4, 0.5, 1]),
    );
    expect(queries).toBe(4);
    expect(metrics.map).toMatchObject({ wins: 1, losses: 1, ties: 2 });
    expect(metrics.map.meanDifference).toBeCloseTo(0.075, 12);
  });

  it('gives the same interval for the same seed, and another one for another', () => {
    const before = evaluation(
      'birds',
      Array.from({ length: 40 }, (_, i) => (i % 7) / 7),
    );
    const now = evaluation(
      'birds',
      Array.from({ length: 40 }, (_, i) => (i % 5) / 5),
    );
    const first = compare(before, now, { seed: 3 });
    expect(compare(before, now, { seed: 3 })).toEqual(first);
    expect(compare(before, now, { seed: 4 }).metrics.map.interval).not.toEqual(first.metrics.map.interval);
  });

  it('gives an interval that holds the mean and is about as wide as theory says', () => {
    // Differences of ±.1 in equal parts: standard error .1 / √400 = .005, so ±1.96 × .005.
    const before = evaluation(
      'birds',
      Array.from({ length: 400 }, () => 0.5),
    );
    const now = evaluation(
      'birds',
      Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? 0.6 : 0.4)),
    );
    const { interval, meanDifference } = compare(before, now).metrics['ndcg@10'];
    expect(meanDifference).toBeCloseTo(0, 12);
    expect(interval[0]).toBeGreaterThan(-0.0115);
    expect(interval[0]).toBeLessThan(-0.0085);
    expect(interval[1]).toBeGreaterThan(0.0085);
    expect(interval[1]).toBeLessThan(0.0115);
  });

  it('gives an interval of no width when every query changed by the same', () => {
    const { interval } = compare(evaluation('birds', [0.25, 0.5]), evaluation('birds', [0.5, 0.75])).metrics
      .map;
    expect(interval).toEqual([0.25, 0.25]);
  });

  it('pairs by set and query, and says what has no partner', () => {
    const before = [
      ...evaluation('birds', [0.5, 0.5]),
      ...evaluation('fish', [0.1]),
      ...evaluation('old', [0.9]),
    ];
    const now = [...evaluation('birds', [0.5]), ...evaluation('fish', [0.2, 0.3])];
    const comparison = compare(before, now);
    expect(comparison.queries).toBe(2);
    expect(comparison.unmatched).toEqual({ now: 1, before: 1 });
    expect(comparison.sets.map((set) => [set.name, set.queries, set.metrics.map.wins])).toEqual([
      ['birds', 1, 0],
      ['fish', 1, 1],
    ]);
  });

  it('refuses evaluations that share no query', () => {
    expect(() => compare(evaluation('birds', [1]), evaluation('fish', [1]))).toThrow(/no query in common/);
  });
});
