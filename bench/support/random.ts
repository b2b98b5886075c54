/** A small seeded generator (mulberry32), so that every run works on the same data. Values in [0, 1). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Words of a made-up language whose frequencies fall as natural ones do (Zipf, exponent 1). */
export function zipfWords(random: () => number, vocabulary: number): () => string {
  const cumulative = new Float64Array(vocabulary);
  let sum = 0;
  for (let i = 0; i < vocabulary; i++) {
    sum += 1 / (i + 1);
    cumulative[i] = sum;
  }
  return () => {
    const target = random() * sum;
    let low = 0;
    let high = vocabulary - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cumulative[middle]! < target) low = middle + 1;
      else high = middle;
    }
    return wordAt(low);
  };
}

/** The word of a rank: syllables, so that no stemmer mistakes it for an English form. */
export function wordAt(rank: number): string {
  const syllables = ['ka', 'lo', 'mi', 'nu', 'pa', 'ro', 'ti', 'vu', 'zo', 'ba'];
  return [...String(rank + 10)].map((digit) => syllables[Number(digit)]).join('');
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
