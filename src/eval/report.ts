import type { Comparison, GroupComparison } from './compare.js';
import type { EvalSettings, GroupResult, SetResult } from './evaluate.js';
import type { Latency } from './latency.js';
import { METRICS, type Metrics, meanMetrics } from './metrics.js';
import { renderTable } from './table.js';

/** What `corvid eval --json` prints. */
export interface EvalReport {
  sets: {
    name: string;
    /** Judged queries. */
    queries: number;
    metrics: Metrics;
    byCategory: Record<string, GroupResult>;
    /** Milliseconds. */
    latencyMs: Latency;
    options: EvalSettings;
  }[];
  /** Of the sets, each counting the same. */
  mean: Metrics;
  /** There when a comparison was asked for. */
  comparison?: Comparison;
}

export function makeReport(results: readonly SetResult[], comparison?: Comparison): EvalReport {
  return {
    sets: results.map(({ name, queries, metrics, byCategory, latencyMs, options }) => ({
      name,
      queries,
      metrics,
      byCategory,
      latencyMs: { p50: thousandths(latencyMs.p50), p95: thousandths(latencyMs.p95) },
      options,
    })),
    mean: meanMetrics(results.map((result) => result.metrics)),
    ...(comparison ? { comparison } : {}),
  };
}

/** The report as a table for a terminal; categories are indented below their set. */
export function renderReport(report: EvalReport): string {
  const rows = [['set', 'queries', ...METRICS, 'p50 ms', 'p95 ms']];
  for (const set of report.sets) {
    rows.push([
      set.name,
      String(set.queries),
      ...figures(set.metrics),
      set.latencyMs.p50.toFixed(2),
      set.latencyMs.p95.toFixed(2),
    ]);
    for (const [category, group] of Object.entries(set.byCategory)) {
      rows.push([`  ${category}`, String(group.queries), ...figures(group.metrics)]);
    }
  }
  if (report.sets.length > 1) rows.push(['mean', '', ...figures(report.mean)]);
  const parts = [renderTable(rows)];
  if (report.comparison) parts.push(renderComparison(report.comparison));
  return parts.join('\n');
}

function renderComparison(comparison: Comparison): string {
  const groups: (GroupComparison & { name: string })[] = [...comparison.sets];
  if (groups.length > 1) groups.push({ ...comparison, name: 'all queries' });
  const rows = [['compared', 'queries', 'metric', 'difference', '95 % interval', 'wins', 'losses', 'ties']];
  for (const group of groups) {
    METRICS.forEach((name, i) => {
      const metric = group.metrics[name];
      rows.push([
        i === 0 ? group.name : '',
        i === 0 ? String(group.queries) : '',
        name,
        signed(metric.meanDifference),
        `${signed(metric.interval[0])} to ${signed(metric.interval[1])}`,
        String(metric.wins),
        String(metric.losses),
        String(metric.ties),
      ]);
    });
  }
  const { now, before } = comparison.unmatched;
  const note =
    now + before > 0 ? `Not compared: ${now} queries that are new, ${before} that are gone.\n` : '';
  return `${renderTable(rows)}${note}`;
}

function figures(metrics: Metrics): string[] {
  return METRICS.map((name) => metrics[name].toFixed(4));
}

function signed(value: number): string {
  const text = value.toFixed(4);
  return Number(text) === 0 ? '0.0000' : value > 0 ? `+${text}` : text;
}

function thousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}
