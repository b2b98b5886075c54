import type { EmbeddingSpace } from '../../contracts/index.js';

/**
 * The texts as the model wants them: each with the prefix of its role, exactly once. A text that itself begins like
 * the prefix is data and gets one all the same.
 */
export function withPrefix(
  texts: readonly string[],
  kind: 'query' | 'document',
  space: Pick<EmbeddingSpace, 'queryPrefix' | 'documentPrefix'>,
): string[] {
  const prefix = (kind === 'query' ? space.queryPrefix : space.documentPrefix) ?? '';
  // Half of a surrogate pair is no valid JSON text for many servers.
  return texts.map((text) => prefix + text.toWellFormed());
}
