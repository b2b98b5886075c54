import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Candidate, ChunkKey, ItemKey, RankedList, StreamName } from '../../contracts/index.js';
import { defaults } from '../defaults.js';
import { rrf } from './rrf.js';

const candidate = (id: number, authoredAt = 0): Candidate => ({
  item: id as ItemKey,
  chunk: id as ChunkKey,
  raw: 1,
  authoredAt,
});
const list = (stream: StreamName, ...ids: number[]): RankedList => ({
  stream,
  candidates: ids.map((id) => candidate(id)),
});
const equal = { ...defaults.weights, exact: 1, entity: 1, graph: 1 };
const fuse = (lists: RankedList[], weights = equal, groupBy: 'item' | 'chunk' = 'item') =>
  rrf(60).fuse(lists, { weights, scores: new Map(), groupBy });

describe('reciprocal rank fusion', () => {
  it('an item first in two lists scores 2/61 (S1)', () => {
    expect(fuse([list('lexical', 1), list('vector', 1)])[0]!.score).toBeCloseTo(0.032787, 6);
  });

  it('ranks 1 and 10 give 1/61 + 1/70, and a list that lacks the item adds nothing (S2)', () => {
    const ten = list('vector', 2, 3, 4, 5, 6, 7, 8, 9, 10, 1);
    const [first] = fuse([list('lexical', 1), ten]);
    expect(first!.candidate.item).toBe(1);
    expect(first!.score).toBeCloseTo(0.030679, 6);
    expect(fuse([list('lexical', 1)])[0]!.score).toBeCloseTo(0.016393, 6);
  });

  it('an item of both lists goes before the first of either (U02), and an absent rank is not made up (U03)', () => {
    const lexical = list('lexical', 20, 30, 99);
    const vector = list('vector', 10, 11, 99);
    expect(fuse([vector, lexical]).map((e) => e.candidate.item)[0]).toBe(99);
    expect(fuse([])).toEqual([]);
    expect(fuse([list('lexical'), list('vector')])).toEqual([]);
  });

  it('equal scores are ordered by best rank, then by age, newer first', () => {
    const old = { stream: 'lexical' as const, candidates: [candidate(1, 5)] };
    const young = { stream: 'vector' as const, candidates: [candidate(2, 9)] };
    expect(fuse([old, young]).map((e) => e.candidate.item)).toEqual([2, 1]);
  });

  it('a weight of zero is a weight, not a missing value', () => {
    const [first] = fuse([list('lexical', 1), list('vector', 2)], { ...equal, lexical: 0 });
    expect(first!.candidate.item).toBe(2);
  });

  it('several chunks of one item count once by item, and for themselves by chunk', () => {
    const chunks: RankedList = {
      stream: 'lexical',
      candidates: [1, 2, 3].map((chunk) => ({ ...candidate(7), chunk: chunk as ChunkKey })),
    };
    expect(fuse([chunks])).toHaveLength(1);
    expect(fuse([chunks])[0]!.score).toBe(1 / 61);
    expect(fuse([chunks], equal, 'chunk')).toHaveLength(3);
  });

  it('property: parts add up exactly, every item is there once, and the order of the lists does not matter', () => {
    const ranked = (stream: StreamName) =>
      fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 20 }).map((ids) => list(stream, ...ids));
    fc.assert(
      fc.property(ranked('lexical'), ranked('vector'), ranked('graph'), (a, b, c) => {
        const fused = fuse([a, b, c], defaults.weights);
        const items = [a, b, c].flatMap((l) => l.candidates.map((x) => x.item));
        expect(new Set(fused.map((e) => e.candidate.item))).toEqual(new Set(items));
        expect(fused).toHaveLength(new Set(items).size);
        for (const entry of fused) {
          expect(entry.parts.reduce((sum, part) => sum + part.contribution, 0)).toBe(entry.score);
        }
        for (let i = 1; i < fused.length; i++)
          expect(fused[i]!.score).toBeLessThanOrEqual(fused[i - 1]!.score);
        expect(fuse([c, b, a], defaults.weights).map((e) => [e.candidate.item, e.score])).toEqual(
          fused.map((e) => [e.candidate.item, e.score]),
        );
      }),
    );
  });
});
