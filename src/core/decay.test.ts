import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectiveStrength, retention, strengthFactor } from './decay.js';

const DAY = 86_400_000;
const memory = { kind: 'memory' as const, strength: 1, importance: 0.5, accesses: 0, lastAccess: 0 };

describe('strength', () => {
  it('of an untouched memory of middle importance is 0.5134 after 30 days (S16)', () => {
    expect(retention(memory, 30 * DAY)).toBeCloseTo(0.5134, 4);
  });

  it('fades slower with importance and with use, and only for memories', () => {
    const later = 30 * DAY;
    expect(retention({ ...memory, importance: 0.9 }, later)).toBeGreaterThan(retention(memory, later));
    expect(retention({ ...memory, accesses: 5 }, later)).toBeGreaterThan(retention(memory, later));
    expect(effectiveStrength({ ...memory, kind: 'document' }, 1000 * DAY)).toBe(1);
    expect(effectiveStrength(memory, 10_000 * DAY)).toBe(0.05);
  });

  it('a last access in the future counts as now (M05)', () => {
    expect(retention({ ...memory, lastAccess: 10 * DAY }, 0)).toBe(1);
  });

  it('the factor of an untouched item is 1, and stays between 0.25 and 2', () => {
    expect(strengthFactor(memory, 0)).toBe(1);
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat({ max: 1e9 }),
        fc.integer({ min: -1e12, max: 1e15 }),
        (strength, importance, accesses, now) => {
          const factor = strengthFactor({ ...memory, strength, importance, accesses }, now);
          expect(factor).toBeGreaterThanOrEqual(0.25);
          expect(factor).toBeLessThanOrEqual(2);
        },
      ),
    );
  });
});
