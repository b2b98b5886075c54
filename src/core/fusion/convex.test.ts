import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  Candidate,
  ChunkKey,
  ItemKey,
  RankedList,
  ScoreTable,
  StreamName,
} from '../../contracts/index.js';
import { defaults } from '../defaults.js';
import { convex } from './convex.js';

const scored = (stream: StreamName, scores: Record<number, number>): RankedList => ({
  stream,
  candidates: Object.entries(scores)
    .map(
      ([id, raw]): Candidate => ({
        item: Number(id) as ItemKey,
        chunk: Number(id) as ChunkKey,
        raw,
        authoredAt: 0,
      }),
    )
    .sort((a, b) => b.raw - a.raw),
});
const fuse = (lists: RankedList[], scores: ScoreTable = new Map()) =>
  convex(0.3).fuse(lists, { weights: defaults.weights, scores, groupBy: 'item' });
const order = (lists: RankedList[], scores?: ScoreTable) =>
  fuse(lists, scores).map((entry) => entry.candidate.item);

describe('convex fusion', () => {
  it('blends the shares of the largest lexical score and the largest cosine', () => {
    const fused = fuse([scored('lexical', { 1: 10, 2: 5 }), scored('vector', { 2: 0.8, 1: 0.4 })]);
    const of = (id: number) => fused.find((entry) => entry.candidate.item === id)!.score;
    expect(of(1)).toBeCloseTo(0.7 * 1 + 0.3 * 0.5, 12);
    expect(of(2)).toBeCloseTo(0.7 * 0.5 + 0.3 * 1, 12);
  });

  it('uses the cosine of a candidate that only the lexical stream listed', () => {
    const lists = [scored('lexical', { 1: 10, 2: 9.9 }), scored('vector', { 3: 0.9 })];
    const scores: ScoreTable = new Map([['vector', new Map([[2 as ItemKey, 0.8]])]]);
    expect(order(lists)).toEqual([1, 2, 3]);
    expect(order(lists, scores)).toEqual([2, 1, 3]);
    const second = fuse(lists, scores).find((entry) => entry.candidate.item === 2)!;
    expect(second.parts).toContainEqual(expect.objectContaining({ stream: 'vector', rank: null, raw: 0.8 }));
  });

  it('without vectors keeps the lexical order exactly, without lexical hits the order of the cosines', () => {
    expect(order([scored('lexical', { 3: 1, 1: 3, 2: 2 })])).toEqual([1, 2, 3]);
    const only = fuse([scored('lexical', {}), scored('vector', { 1: 0.2, 2: 0.6 })]);
    expect(only.map((entry) => [entry.candidate.item, entry.score])).toEqual([
      [2, 1],
      [1, expect.closeTo(1 / 3, 9)],
    ]);
  });

  it('a negative cosine counts as none', () => {
    expect(
      fuse([scored('lexical', { 1: 1 }), scored('vector', { 2: -0.5 })]).find((e) => e.candidate.item === 2)!
        .score,
    ).toBe(0);
  });

  it('the first place of another stream adds a tenth of its weight', () => {
    const [first] = fuse([scored('exact', { 7: 3 })]);
    expect(first!.score).toBeCloseTo(0.1 * defaults.weights.exact, 12);
  });

  it('property: parts add up exactly, scores are finite and fall', () => {
    const list = (stream: StreamName) =>
      fc
        .dictionary(
          fc.integer({ min: 1, max: 20 }).map(String),
          fc.double({ min: -1, max: 30, noNaN: true }),
          { maxKeys: 12 },
        )
        .map((scores) => scored(stream, scores));
    fc.assert(
      fc.property(list('lexical'), list('exact'), list('vector'), (a, b, c) => {
        const fused = fuse([a, b, c]);
        fused.forEach((entry, i) => {
          expect(entry.parts.reduce((sum, part) => sum + part.contribution, 0)).toBe(entry.score);
          expect(Number.isFinite(entry.score)).toBe(true);
          if (i > 0) expect(entry.score).toBeLessThanOrEqual(fused[i - 1]!.score);
        });
      }),
    );
  });
});
