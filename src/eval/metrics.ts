/** The figures of an evaluation, in the order in which they are shown. */
export const METRICS = ['ndcg@10', 'recall@5', 'recall@10', 'recall@100', 'mrr@10', 'map'] as const;

export type MetricName = (typeof METRICS)[number];

/** One figure a metric, each from 0 to 1. */
export type Metrics = Readonly<Record<MetricName, number>>;

/** Documents judged relevant to a query: id → gain above 0. */
export type Judgments = ReadonlyMap<string, number>;

/** `ndcg@10` and `mrr@10` look no further down than this. */
const CUTOFF = 10;

/**
 * Measures one ranking as trec_eval does. nDCG has linear gain and the discount log2(rank + 1) (Järvelin and
 * Kekäläinen 2002), its ideal being the judgments alone; `map` divides by every relevant document, found or not.
 *
 * @param relevant at least one judgment
 * @param ranked ids of documents, best first, none twice
 */
export function measure(relevant: Judgments, ranked: readonly string[]): Metrics {
  const ideal = [...relevant.values()].sort((a, b) => b - a).slice(0, CUTOFF);
  const idealGain = ideal.reduce((sum, gain, i) => sum + discounted(gain, i + 1), 0);
  let gained = 0;
  let found = 0;
  let precisions = 0;
  let reciprocal = 0;
  const foundAt = new Map<number, number>();
  ranked.forEach((id, i) => {
    const rank = i + 1;
    const gain = relevant.get(id);
    if (gain !== undefined) {
      found += 1;
      precisions += found / rank;
      if (rank <= CUTOFF) {
        gained += discounted(gain, rank);
        if (reciprocal === 0) reciprocal = 1 / rank;
      }
    }
    foundAt.set(rank, found);
  });
  const recall = (depth: number) => (foundAt.get(depth) ?? found) / relevant.size;
  return {
    'ndcg@10': gained / idealGain,
    'recall@5': recall(5),
    'recall@10': recall(10),
    'recall@100': recall(100),
    'mrr@10': reciprocal,
    map: precisions / relevant.size,
  };
}

/** The mean of every metric, each entry counting the same; zeros for an empty list. */
export function meanMetrics(list: readonly Metrics[]): Metrics {
  return forEachMetric((name) =>
    list.length === 0 ? 0 : list.reduce((sum, metrics) => sum + metrics[name], 0) / list.length,
  );
}

/** A record with an entry for every metric. */
export function forEachMetric<T>(make: (name: MetricName) => T): Record<MetricName, T> {
  return Object.fromEntries(METRICS.map((name) => [name, make(name)])) as Record<MetricName, T>;
}

function discounted(gain: number, rank: number): number {
  return gain / Math.log2(rank + 1);
}
