import { defaults } from './defaults.js';

/** BM25's k1 in FTS5. A term's share saturates at idf · (k1 + 1). */
const K1 = 1.2;

/** idf as FTS5 has it: ln((N − n + 0.5) / (n + 0.5)), floored at 1e-6. `chunks` and `frequency` count chunks. */
export function idf(chunks: number, frequency: number): number {
  return Math.max(1e-6, Math.log((chunks - frequency + 0.5) / (frequency + 0.5)));
}

/**
 * How much of the evidence a text could hold it does hold: BM25 divided by its value when every term is
 * saturated, 0 to 1. Terms that occur nowhere count too: what is not in the store was not found.
 */
export function lexicalShare(bm25: number, idfs: readonly number[]): number {
  const most = idfs.reduce((sum, value) => sum + value, 0) * (K1 + 1);
  return most > 0 ? Math.min(1, Math.max(0, bm25 / most)) : 0;
}

/** Maps evidence in [0, 1] to a score in (0, 1): σ(a · x + b), a and b fitted on labelled sets. */
export function calibrate(evidence: number): number {
  return 1 / (1 + Math.exp(-(defaults.calibration.a * evidence + defaults.calibration.b)));
}
