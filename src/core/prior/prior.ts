import type { ItemKind } from '../../contracts/index.js';
import { type StrengthInput, strengthFactor } from '../decay.js';
import { defaults } from '../defaults.js';

/** What the prior looks at. Times are epoch milliseconds. */
export interface PriorInput extends StrengthInput {
  kind: ItemKind;
  pinned: boolean;
  authoredAt: number;
  /** The lexical stream has ranked it, with its strength counted there. */
  hasLexicalRank: boolean;
  /** How near it is to the best match of a stream, 0 to 1; default 1. The boosts decide among near-equals only. */
  closeness?: number;
}

export interface Prior {
  /** Multiplies the fused score; between 0.55 and 1.5. */
  factor: number;
  parts: { name: string; value: number }[];
}

/**
 * A bounded boost after fusion: pinned items, recently authored documents and notes (halving every 30 days), and the
 * strength of memories that the lexical stream did not rank, so that it counts once.
 */
export function priorOf(item: PriorInput, now: number): Prior {
  const { pinned, recent, halfLifeDays, kinds, min, max } = defaults.prior;
  const parts: Prior['parts'] = [];
  const near = item.closeness ?? 1;
  if (item.pinned) parts.push({ name: 'pinned', value: pinned * near });
  if (item.kind === 'document' || item.kind === 'note') {
    const days = Math.max(0, now - item.authoredAt) / defaults.decay.dayMs;
    parts.push({ name: 'recent', value: near * recent * 2 ** (-days / halfLifeDays) });
  }
  const kind = kinds[item.kind];
  if (kind !== 0) parts.push({ name: `kind ${item.kind}`, value: kind * near });
  let factor = parts.reduce((sum, part) => sum + part.value, 1);
  if (item.kind === 'memory' && !item.hasLexicalRank) {
    const strength = strengthFactor(item, now);
    parts.push({ name: 'strength', value: strength });
    factor *= strength;
  }
  return { factor: Math.min(max, Math.max(min, factor)), parts };
}
