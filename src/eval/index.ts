/** Measures search on labelled collections: the `corvid/eval` entry. */
export {
  type Collection,
  type CollectionDocument,
  type CollectionQuery,
  loadCollection,
} from './collection.js';
export { type EvalOutput, runEval } from './command.js';
export {
  type CompareOptions,
  type Comparison,
  compare,
  type GroupComparison,
  type PairedDifference,
} from './compare.js';
export type { DocumentHeader } from './document-header.js';
export {
  type EvalSettings,
  type EvaluateOptions,
  evaluateCollection,
  type GroupResult,
  type SetResult,
} from './evaluate.js';
export type { EvalFlags } from './flags.js';
export { indexCollection } from './index-collection.js';
export type { Latency } from './latency.js';
export {
  type Judgments,
  METRICS,
  type MetricName,
  type Metrics,
  meanMetrics,
  measure,
} from './metrics.js';
export { type PerQuery, readPerQuery, writePerQuery } from './per-query.js';
export { type EvalReport, makeReport, renderReport } from './report.js';
export { type Run, readRun, writeRun } from './run-file.js';
