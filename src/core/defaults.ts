import type { Weights } from '../contracts/index.js';

const DAY_MS = 86_400_000;

/** Every constant of behaviour that a user may want to know or change, in one place. */
export const defaults = {
  scope: { workspace: 'default', project: 'default', sharedProject: '_global' },
  search: { limit: 10, maxLimit: 1000, linked: 3, maxLinked: 10, deadlineMs: 800 },
  list: { limit: 100, maxLimit: 1000 },
  /** Candidates a stream: max(minimum, factor × (offset + limit)) items after collapse. */
  candidates: { minimum: 300, factor: 3 },
  query: {
    /** Distinct terms kept of a query; the rarest stay. */
    maxTerms: 64,
    /** Characters of a query that are looked at. */
    maxChars: 100_000,
  },
  /** Weights of the columns in BM25, chosen on the labelled sets (docs/decisions/0003). */
  columns: { title: 3, body: 1, exact: 1, header: 1.5 },
  weights: { lexical: 1, exact: 0.5, vector: 1, entity: 0.5, graph: 0.3 } satisfies Weights,
  fusion: { name: 'rrf', k: 60, alpha: 0.3 },
  /** Strength × (1 + importance), divided by its value for an untouched item and clamped. */
  factor: { neutral: 1.5, min: 0.25, max: 2 },
  item: { importance: 0.5, strength: 1 },
  decay: { baseDays: 30, floor: 0.05, dayMs: DAY_MS },
  /** Calibrated score: σ(a · x + b). */
  calibration: { a: 8, b: -3 },
  chunk: {
    targetChars: 1200,
    maxChars: 2000,
    /** A section or lead-in shorter than this does not stand alone when what follows still fits. */
    minChars: 200,
    /** Characters kept of a heading. */
    maxHeadingChars: 200,
    /** A longer frontmatter block is read as text. */
    maxFrontmatterChars: 65_536,
  },
  snippet: { maxChars: 240, scanChars: 20_000 },
  ingest: {
    maxFileBytes: 10 * 1024 * 1024,
    /** A transaction holds at most so many files, and ends early at so many bytes of text. */
    batchFiles: 200,
    batchBytes: 32 * 1024 * 1024,
    /** Files read at the same time: so many, and so many bytes (a larger file is read alone). */
    readAheadFiles: 16,
    readAheadBytes: 16 * 1024 * 1024,
    /** What is kept of frontmatter, whose title, tags and keywords are indexed with every chunk. */
    maxTitleChars: 300,
    maxTags: 100,
    maxTagChars: 100,
  },
  addMany: { batchSize: 500 },
  store: { busyTimeoutMs: 5000, keepChanges: 100_000 },
  eval: {
    /** Hits asked for a query. */
    limit: 100,
    /** The instant of every question and of every document (2026-01-01 UTC), so that two runs agree. */
    now: 1_767_225_600_000,
    /** Paired bootstrap of a comparison: how many resamples, and where their random numbers start. */
    resamples: 10_000,
    seed: 1,
  },
} as const;
