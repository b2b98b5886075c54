/** Latencies in milliseconds. */
export interface Latency {
  p50: number;
  p95: number;
}

/** Median and 95th percentile by nearest rank; zeros for an empty list. */
export function latencyOf(times: readonly number[]): Latency {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}
