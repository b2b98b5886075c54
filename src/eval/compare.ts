import { CorvidError, defaults } from '../index.js';
import { bootstrapIntervals } from './bootstrap.js';
import { forEachMetric, METRICS, type MetricName } from './metrics.js';
import type { PerQuery } from './per-query.js';

/** Differences smaller than this are ties: they come from the order of additions, not from a ranking. */
const TIE = 1e-12;

/** How one metric changed over the same queries: now minus before. */
export interface PairedDifference {
  meanDifference: number;
  /** Queries that became better, worse, or neither. */
  wins: number;
  losses: number;
  ties: number;
  /** 95 % interval of the mean difference, by the percentiles of a paired bootstrap (Efron 1979). */
  interval: readonly [low: number, high: number];
}

export interface GroupComparison {
  /** Pairs compared. */
  queries: number;
  metrics: Record<MetricName, PairedDifference>;
}

export interface Comparison extends GroupComparison {
  /** Queries of this evaluation that the earlier one does not hold, and of its same sets the other way round. */
  unmatched: { now: number; before: number };
  sets: (GroupComparison & { name: string })[];
}

export interface CompareOptions {
  /** How many resamples; default 10,000. */
  resamples?: number | undefined;
  /** Where the random numbers start; the same seed gives the same interval. */
  seed?: number | undefined;
}

/**
 * Compares two evaluations query by query, pairing by set and query id.
 *
 * @throws CorvidError `bad-collection` when they have no query in common.
 */
export function compare(
  before: readonly PerQuery[],
  now: readonly PerQuery[],
  o: CompareOptions = {},
): Comparison {
  const key = (entry: PerQuery) => JSON.stringify([entry.set, entry.query]);
  const earlier = new Map(before.map((entry) => [key(entry), entry]));
  const pairs = now.flatMap((entry) => {
    const match = earlier.get(key(entry));
    return match ? [{ set: entry.set, before: match, now: entry }] : [];
  });
  if (pairs.length === 0) {
    throw new CorvidError('bad-collection', 'The two evaluations have no query in common.', {
      hint: 'Compare evaluations of the same collections; a set is known by the name of its folder.',
    });
  }
  const names = [...new Set(now.map((entry) => entry.set))];
  const comparable = before.filter((entry) => names.includes(entry.set));
  return {
    ...comparePairs(pairs, o),
    unmatched: { now: now.length - pairs.length, before: comparable.length - pairs.length },
    sets: names.flatMap((name) => {
      const ofSet = pairs.filter((pair) => pair.set === name);
      return ofSet.length === 0 ? [] : [{ name, ...comparePairs(ofSet, o) }];
    }),
  };
}

function comparePairs(
  pairs: readonly { before: PerQuery; now: PerQuery }[],
  o: CompareOptions,
): GroupComparison {
  const differences = METRICS.map((name) =>
    Float64Array.from(pairs, (pair) => pair.now.metrics[name] - pair.before.metrics[name]),
  );
  const intervals = bootstrapIntervals(differences, {
    resamples: o.resamples ?? defaults.eval.resamples,
    seed: o.seed ?? defaults.eval.seed,
  });
  return {
    queries: pairs.length,
    metrics: forEachMetric((name) => {
      const at = METRICS.indexOf(name);
      const values = differences[at] ?? new Float64Array();
      const wins = values.filter((value) => value > TIE).length;
      const losses = values.filter((value) => value < -TIE).length;
      return {
        meanDifference: values.reduce((sum, value) => sum + value, 0) / values.length,
        wins,
        losses,
        ties: values.length - wins - losses,
        interval: intervals[at] ?? [0, 0],
      };
    }),
  };
}
