/** Both tails together leave out 5 %. */
const TAIL = 0.025;

/**
 * 95 % intervals of the means of several columns of equal length, by the percentile bootstrap: rows are drawn with
 * replacement, the same rows for every column, and the 2.5th and 97.5th percentile of the means are taken. The same
 * seed draws the same rows.
 *
 * @param columns at least one value each
 */
export function bootstrapIntervals(
  columns: readonly Float64Array[],
  o: { resamples: number; seed: number },
): [low: number, high: number][] {
  const rows = columns[0]?.length ?? 0;
  const means = columns.map(() => new Float64Array(o.resamples));
  const sums = new Float64Array(columns.length);
  const random = mulberry32(o.seed);
  for (let resample = 0; resample < o.resamples; resample++) {
    sums.fill(0);
    for (let draw = 0; draw < rows; draw++) {
      const row = Math.floor(random() * rows);
      for (let column = 0; column < columns.length; column++) sums[column]! += columns[column]![row]!;
    }
    for (let column = 0; column < columns.length; column++) means[column]![resample] = sums[column]! / rows;
  }
  const low = Math.floor(TAIL * o.resamples);
  return means.map((sorted) => {
    sorted.sort();
    return [sorted[low] ?? 0, sorted[o.resamples - 1 - low] ?? 0];
  });
}

/** Numbers in [0, 1) by mulberry32 (Tommy Ettinger, public domain): 32 bits of state, the same everywhere. */
function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
