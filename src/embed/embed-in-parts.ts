import { defaults } from '../core/defaults.js';
import type { Embedded } from './batch-embedder.js';
import { EmbedError } from './embed-error.js';
import { halve } from './halve.js';
import { toUnit } from './to-vector.js';

interface Part {
  length: number;
  vector: Float32Array;
}

/**
 * One vector for a text that the model's window does not hold: the text is halved, and again each part that is still
 * too long, at most `defaults.embed.maxHalvings` times; the vector is the mean of the parts' unit vectors, weighted by
 * their lengths and brought to length 1. A part that fails in another way, or cannot be halved, fails the text: what is
 * left out of a vector is not found by it, and nobody would know.
 */
export async function embedInParts(
  text: string,
  refusal: EmbedError,
  embed: (parts: readonly string[]) => Promise<Embedded[]>,
): Promise<Embedded> {
  const done: Part[] = [];
  /** The error of the first part that fails for good. Depth first: a server that refuses every length is asked seldom. */
  const divide = async (whole: string, error: EmbedError, depth: number): Promise<Embedded | null> => {
    const halves = depth < defaults.embed.maxHalvings ? halve(whole) : null;
    if (halves === null) return { ok: false, error };
    const outcomes = await embed(halves);
    for (const [i, half] of halves.entries()) {
      const outcome = outcomes[i]!;
      if (outcome.ok) {
        done.push({ length: half.length, vector: outcome.vector });
        continue;
      }
      const failed = isTooLong(outcome) ? await divide(half, outcome.error, depth + 1) : outcome;
      if (failed) return failed;
    }
    return null;
  };
  return (await divide(text, refusal, 0)) ?? mean(done);
}

/** Whether the text of an outcome was refused because the model's window does not hold it. */
export function isTooLong(outcome: Embedded): outcome is { ok: false; error: EmbedError } {
  return !outcome.ok && outcome.error instanceof EmbedError && outcome.error.tooLong;
}

function mean(parts: readonly Part[]): Embedded {
  const sum = new Float32Array(parts[0]!.vector.length);
  for (const { length, vector } of parts) {
    for (let i = 0; i < sum.length; i++) sum[i] = sum[i]! + vector[i]! * length;
  }
  try {
    return { ok: true, vector: toUnit(sum) };
  } catch (error) {
    // Parts that point in opposite directions.
    if (error instanceof EmbedError) return { ok: false, error };
    throw error;
  }
}
