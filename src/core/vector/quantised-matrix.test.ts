import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainKernel } from './plain-kernel.js';
import { QuantisedMatrix, type RowSet } from './quantised-matrix.js';
import type { ScanKernel } from './scan-kernel.js';
import { unitVector } from './unit-vector.js';
import { wasmKernel } from './wasm-kernel.js';

const NEVER = Number.POSITIVE_INFINITY;
const kernels: [string, () => ScanKernel][] = [
  ['wasm', () => wasmKernel()!],
  ['plain', plainKernel],
];

/** A small seeded generator (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Unit vectors in clumps, as texts about the same thing are. */
function clumped(count: number, dimensions: number, seed: number): Float32Array[] {
  const random = seeded(seed);
  const number = () => random() + random() + random() - 1.5;
  const centres = Array.from({ length: Math.ceil(count / 25) }, () =>
    Array.from({ length: dimensions }, number),
  );
  return Array.from(
    { length: count },
    (_, i) => unitVector(centres[i % centres.length]!.map((value) => value + number() * 0.7))!,
  );
}

function setOf(rows: readonly number[], total: number, o: { list: boolean }): RowSet {
  const bits = new Uint8Array(Math.ceil(total / 8));
  for (const row of rows) bits[row >> 3]! |= 1 << (row & 7);
  return { bits, count: rows.length, list: o.list ? Uint32Array.from(rows) : null };
}

const all = (total: number) => setOf([...Array(total).keys()], total, { list: false });

const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

function matrixOf(kernel: ScanKernel, vectors: readonly Float32Array[], signsFrom = NEVER): QuantisedMatrix {
  const matrix = new QuantisedMatrix(kernel, vectors[0]!.length, signsFrom);
  vectors.forEach((vector, row) => {
    matrix.set(row, vector);
  });
  return matrix;
}

describe.each(kernels)('with the %s kernel', (_, make) => {
  it.each([3, 16, 50, 384])(
    'the nearest rows of %d dimensions are those of the exact order',
    (dimensions) => {
      const vectors = clumped(1300, dimensions, dimensions);
      const query = vectors[17]!;
      const { rows, cosines } = matrixOf(make(), vectors).nearest(query, 30, all(1300));
      expect(rows[0]).toBe(17);
      const exact = vectors.map((vector) => cosine(vector, query));
      const floor = exact.toSorted((a, b) => b - a)[29]!;
      rows.forEach((row, i) => {
        expect(cosines[i]).toBeCloseTo(exact[row]!, 2);
        expect(exact[row]!).toBeGreaterThan(floor - 0.01);
      });
      expect([...cosines]).toEqual([...cosines].sort((a, b) => b - a));
    },
  );

  it('only wanted rows are found, by bits and by list alike, and all of them when they are few', () => {
    const vectors = clumped(2100, 32, 5);
    const matrix = matrixOf(make(), vectors);
    const wanted = [...Array(2100).keys()].filter((row) => row % 97 === 3);
    const query = vectors[0]!;
    const byBits = matrix.nearest(query, 50, setOf(wanted, 2100, { list: false }));
    const byList = matrix.nearest(query, 50, setOf(wanted, 2100, { list: true }));
    expect([...byBits.rows].sort((a, b) => a - b)).toEqual(wanted);
    expect(byList).toEqual(byBits);
    expect(matrix.nearest(query, 50, setOf([], 2100, { list: true })).rows).toHaveLength(0);
  });

  it('signs put the nearest rows among those that are looked at', () => {
    const vectors = clumped(4000, 128, 9);
    const matrix = matrixOf(make(), vectors, 1);
    const exact = matrixOf(make(), vectors);
    let found = 0;
    for (let i = 0; i < 20; i++) {
      const query = vectors[i * 31]!;
      const want = exact.nearest(query, 10, all(4000)).rows;
      const got = new Set(matrix.nearest(query, 10, all(4000)).rows);
      found += want.filter((row) => got.has(row)).length;
    }
    expect(matrix.scansSigns).toBe(true);
    expect(found / 200).toBeGreaterThan(0.99);
  });

  it('a row that is set again has only its new vector, with and without signs', () => {
    for (const signsFrom of [NEVER, 1]) {
      const vectors = clumped(1100, 16, 3);
      const matrix = matrixOf(make(), vectors, signsFrom);
      matrix.nearest(vectors[0]!, 1, all(1100));
      const other = vectors[0]!.map((value) => -value);
      matrix.set(1050, other);
      expect(matrix.nearest(other, 1, all(1100)).rows[0]).toBe(1050);
      matrix.setQuantised(7, matrix.get(1050).numbers.slice(), matrix.get(1050).scale);
      const { cosines } = matrix.nearest(other, 2, setOf([7, 1050], 1100, { list: false }));
      expect(cosines[0]).toBe(cosines[1]);
    }
  });

  it('cosines of a list come in its order, also of more rows than one call takes', () => {
    const vectors = clumped(900, 16, 4);
    const matrix = matrixOf(make(), vectors);
    const rows = Uint32Array.from({ length: 40_000 }, (_, i) => (i * 7) % 900);
    const cosines = matrix.cosines(vectors[5]!, rows);
    for (const i of [0, 16_383, 16_384, 39_999])
      expect(cosines[i]).toBeCloseTo(cosine(vectors[rows[i]!]!, vectors[5]!), 2);
  });

  it('zeros, an empty matrix and a zero query give cosines of 0 or nothing', () => {
    const matrix = new QuantisedMatrix(make(), 4, NEVER);
    expect(matrix.nearest(Float32Array.of(1, 0, 0, 0), 3, all(0)).rows).toHaveLength(0);
    matrix.set(0, [0, 0, 0, 0]);
    matrix.set(1, [1, 0, 0, 0]);
    expect([...matrix.nearest(Float32Array.of(1, 0, 0, 0), 3, all(2)).cosines]).toEqual([1, 0]);
    expect([...matrix.nearest(Float32Array.of(0, 0, 0, 0), 3, all(2)).cosines]).toEqual([0, 0]);
  });
});

it('both kernels give the same rows and the same bits, whatever the vectors', () => {
  const number = fc.double({ min: -1, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }).chain((dimensions) => {
        const vector = fc.array(number, { minLength: dimensions, maxLength: dimensions });
        return fc.record({
          vectors: fc.array(vector, { minLength: 1, maxLength: 90 }),
          query: vector,
          limit: fc.integer({ min: 1, max: 12 }),
          signs: fc.boolean(),
          every: fc.integer({ min: 1, max: 9 }),
        });
      }),
      ({ vectors, query, limit, signs, every }) => {
        const wanted = [...vectors.keys()].filter((row) => row % every === 0);
        const results = kernels.map(([, make]) => {
          const matrix = new QuantisedMatrix(make(), query.length, signs ? 1 : NEVER);
          vectors.forEach((vector, row) => {
            matrix.set(row, vector);
          });
          const asked = Float32Array.from(query);
          return [
            matrix.nearest(asked, limit, setOf(wanted, vectors.length, { list: false })),
            matrix.nearest(asked, limit, setOf(wanted, vectors.length, { list: true })),
            matrix.cosines(asked, Uint32Array.from(vectors.keys())),
          ];
        });
        expect(results[1]).toEqual(results[0]);
      },
    ),
  );
});
