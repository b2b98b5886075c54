import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PriorInput, priorOf } from './prior.js';

const DAY = 86_400_000;
const page: PriorInput = {
  kind: 'document',
  pinned: false,
  authoredAt: 0,
  hasLexicalRank: true,
  strength: 1,
  importance: 0.5,
  accesses: 0,
  lastAccess: 0,
};

describe('the prior', () => {
  it('lifts a pinned page by 0.08', () => {
    expect(priorOf({ ...page, pinned: true }, 1e15).factor).toBeCloseTo(1.08, 6);
  });

  it('lifts a page of today by 0.10, one of a month ago by 0.05, an old one by next to nothing', () => {
    expect(priorOf(page, 0).factor).toBeCloseTo(1.1, 9);
    expect(priorOf(page, 30 * DAY).factor).toBeCloseTo(1.05, 9);
    expect(priorOf(page, 3000 * DAY).factor).toBeCloseTo(1, 9);
    expect(priorOf({ ...page, authoredAt: 10 * DAY }, 0).factor).toBeCloseTo(1.1, 9);
  });

  it("counts a memory's strength only when the lexical stream has not", () => {
    const weak = { ...page, kind: 'memory' as const, strength: 0.6 };
    expect(priorOf(weak, 0).factor).toBe(1);
    expect(priorOf({ ...weak, hasLexicalRank: false }, 0).factor).toBeCloseTo(0.6, 9);
  });

  it('property: stays between 0.55 and 1.5', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('memory' as const, 'document' as const, 'message' as const),
        fc.boolean(),
        fc.boolean(),
        fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
        fc.integer({ min: -1e13, max: 1e13 }),
        (kind, pinned, hasLexicalRank, strength, now) => {
          const { factor } = priorOf({ ...page, kind, pinned, hasLexicalRank, strength }, now);
          expect(factor).toBeGreaterThanOrEqual(0.55);
          expect(factor).toBeLessThanOrEqual(1.5);
        },
      ),
    );
  });
});
