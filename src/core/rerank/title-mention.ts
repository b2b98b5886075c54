import { defaults } from '../defaults.js';
import type { PoolEntry } from './pool.js';

/**
 * How strongly the best texts point to each candidate by its title, 0 to 1: the first of them that holds the title as
 * a whole, as a share of the best score. What the best answer names is often the other half of a question.
 */
export function titleMentions(pool: readonly PoolEntry[], best: number): number[] {
  const { mentions } = defaults.rerank;
  const texts = pool.slice(0, mentions.texts).map(({ body }) => ` ${body} `);
  return pool.map(({ title }, i) => {
    if (title.length < mentions.minChars || title.split(' ').length > mentions.maxTerms) return 0;
    const by = texts.findIndex(
      (text, j) => j !== i && pool[j]!.title !== title && text.includes(` ${title} `),
    );
    return by < 0 ? 0 : pool[by]!.score / best;
  });
}
