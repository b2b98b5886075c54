import type { ItemKind } from '../contracts/index.js';
import { defaults } from './defaults.js';

/** What strength depends on. Times are epoch milliseconds. */
export interface StrengthInput {
  kind: ItemKind;
  strength: number;
  importance: number;
  accesses: number;
  lastAccess: number;
}

/**
 * Retention R = exp(−Δt / S), Δt in days since the last access (never negative),
 * S = 30 · (1 + ln(1 + accesses)) · (1 + importance). In (0, 1].
 */
export function retention(item: StrengthInput, now: number): number {
  const days = Math.max(0, now - item.lastAccess) / defaults.decay.dayMs;
  const stability =
    defaults.decay.baseDays * (1 + Math.log(1 + Math.max(0, item.accesses))) * (1 + item.importance);
  return Math.exp(-days / stability);
}

/** Strength as it counts now: only memories fade, and never below a floor of 0.05. */
export function effectiveStrength(item: StrengthInput, now: number): number {
  if (item.kind !== 'memory') return item.strength;
  return Math.max(defaults.decay.floor, item.strength * retention(item, now));
}

/**
 * The factor on bm25: effective strength × (1 + importance), divided by its value for an untouched item
 * (1.5) and clamped to [0.25, 2], so that untouched items rank by bm25 alone.
 */
export function strengthFactor(item: StrengthInput, now: number): number {
  const raw = (effectiveStrength(item, now) * (1 + item.importance)) / defaults.factor.neutral;
  return Math.min(defaults.factor.max, Math.max(defaults.factor.min, raw));
}
