import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { METRICS, meanMetrics, measure } from './metrics.js';

const gains = (entries: Record<string, number>) => new Map(Object.entries(entries));
/** `n` ids that nobody judged. */
const noise = (n: number, prefix = 'noise') => Array.from({ length: n }, (_, i) => `${prefix}${i}`);

describe('measure', () => {
  it('agrees with figures worked out by hand for graded judgments', () => {
    // Gains 3, 2, 1; the ranking has the 2 at rank 1, the 3 at rank 3, and never finds the 1.
    const metrics = measure(gains({ a: 3, b: 2, c: 1 }), ['b', 'x', 'a', 'y']);
    const ideal = 3 / 1 + 2 / 1.584962500721156 + 1 / 2;
    expect(metrics['ndcg@10']).toBeCloseTo((2 / 1 + 3 / 2) / ideal, 12);
    expect(metrics['recall@5']).toBeCloseTo(2 / 3, 12);
    expect(metrics['mrr@10']).toBe(1);
    expect(metrics.map).toBeCloseTo((1 / 1 + 2 / 3) / 3, 12);
  });

  it('gives 1 everywhere to a ranking that has all relevant documents first, in order of gain', () => {
    const metrics = measure(gains({ a: 2, b: 1 }), ['a', 'b', 'x']);
    expect(METRICS.map((name) => metrics[name])).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('gives 0 everywhere to an empty ranking and to one without a relevant document', () => {
    for (const ranked of [[], ['x', 'y']]) {
      const metrics = measure(gains({ a: 1 }), ranked);
      expect(METRICS.map((name) => metrics[name])).toEqual([0, 0, 0, 0, 0, 0]);
    }
  });

  it('counts nothing below rank 10 for nDCG and MRR, and everything for MAP', () => {
    const metrics = measure(gains({ a: 1 }), [...noise(10), 'a']);
    expect(metrics['ndcg@10']).toBe(0);
    expect(metrics['mrr@10']).toBe(0);
    expect(metrics['recall@10']).toBe(0);
    expect(metrics['recall@100']).toBe(1);
    expect(metrics.map).toBeCloseTo(1 / 11, 12);
  });

  it('takes recall at exactly 5, 10 and 100', () => {
    const ranked = [...noise(4), 'a', ...noise(4, 'm'), 'b', ...noise(89, 'n'), 'c', 'd'];
    const metrics = measure(gains({ a: 1, b: 1, c: 1, d: 1 }), ranked);
    expect(ranked.indexOf('c')).toBe(99);
    expect([metrics['recall@5'], metrics['recall@10'], metrics['recall@100']]).toEqual([0.25, 0.5, 0.75]);
  });

  it('takes the ideal from the ten best judgments only', () => {
    const relevant = gains(Object.fromEntries(noise(12, 'r').map((id) => [id, 1])));
    expect(measure(relevant, noise(10, 'r'))['ndcg@10']).toBeCloseTo(1, 12);
  });

  it('stays between 0 and 1, and nDCG never falls when a relevant document moves up one place', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 2, maxLength: 30 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 10 }),
        fc.nat(),
        (ranking, judged, pick) => {
          const relevant = new Map(judged.map((id) => [String(id), 1]));
          const ranked = ranking.map(String);
          const before = measure(relevant, ranked);
          for (const name of METRICS) {
            expect(before[name]).toBeGreaterThanOrEqual(0);
            expect(before[name]).toBeLessThanOrEqual(1 + 1e-12);
          }
          const at = 1 + (pick % (ranked.length - 1));
          const [above, below] = [ranked[at - 1] as string, ranked[at] as string];
          if (!relevant.has(below)) return;
          const moved = ranked.with(at - 1, below).with(at, above);
          expect(measure(relevant, moved)['ndcg@10']).toBeGreaterThanOrEqual(before['ndcg@10'] - 1e-12);
        },
      ),
    );
  });
});

describe('meanMetrics', () => {
  it('counts every query the same', () => {
    const one = measure(gains({ a: 1 }), ['a']);
    const none = measure(gains({ a: 1, b: 1, c: 1 }), []);
    expect(meanMetrics([one, none, none, none]).map).toBe(0.25);
  });

  it('is zero for no query', () => {
    expect(meanMetrics([])['ndcg@10']).toBe(0);
  });
});
