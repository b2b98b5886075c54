import { createHash } from 'node:crypto';
import type { EmbeddingSpace } from '../contracts/index.js';

/** Raise it when the passages or headers that are embedded change their form: old vectors are then of another space. */
const INPUT_FORM = 1;

/** All that makes two vectors comparable, as one short text. */
export function fingerprint(space: EmbeddingSpace): string {
  const parts = [
    space.provider,
    space.model,
    space.dimensions ?? null,
    space.queryPrefix ?? '',
    space.documentPrefix ?? '',
    INPUT_FORM,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
