import type { ItemKind, Weights } from '../contracts/index.js';

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
  /** Identifiers count as exact when at most so many chunks, or so large a share of them, hold them. */
  exact: { maxChunks: 5, maxShare: 0.002 },
  /**
   * What BM25 does not see: how much each kind of evidence lifts one of the first `depth` candidates, chosen on the
   * labelled sets (docs/decisions/0006).
   */
  rerank: {
    depth: 30,
    weights: { proximity: 0.5, phrase: 0.5, title: 0.7, mention: 0.9, conversation: 0.4 },
    /** Two terms of the question that stand further apart say no more together than each for itself. */
    maxDistance: 8,
    /** Whose texts name titles, and which titles are names rather than sentences. */
    mentions: { texts: 3, minChars: 4, maxTerms: 6 },
    /** Messages that count on each side of one, among the first candidates, and the longest pause between two. */
    neighbours: 3,
    messages: 100,
    maxPauseMs: 6 * 3_600_000,
  },
  weights: { lexical: 1, exact: 1.5, vector: 1, entity: 0.5, graph: 0.3 } satisfies Weights,
  /** RRF's k; for convex fusion the vector's share and what a first place of the other streams adds. */
  fusion: { name: 'rrf', k: 60, alpha: 0.3, beta: 0.1 },
  /** Strength × (1 + importance), divided by its value for an untouched item and clamped. */
  factor: { neutral: 1.5, min: 0.25, max: 2 },
  item: { importance: 0.5, strength: 1 },
  decay: { baseDays: 30, floor: 0.05, dayMs: DAY_MS },
  /** After fusion: what each circumstance adds to a factor of 1, and the bounds of the factor. */
  prior: {
    pinned: 0.08,
    recent: 0.1,
    halfLifeDays: 30,
    kinds: { memory: 0, document: 0, message: 0, observation: 0, note: 0 } satisfies Record<ItemKind, number>,
    /** Boosts begin at this share of a stream's best score. */
    nearShare: 0.8,
    min: 0.55,
    max: 1.5,
  },
  vectors: {
    /** Bytes of int8 vectors from which signs are scanned first: more than a processor's cache holds. */
    signsFromBytes: 24 * 1024 * 1024,
    /** The first candidates that are compared again with the vectors as they are kept. */
    rescored: 64,
    /** So many vectors read one by one, and so much later, slabs are written for the next opening. */
    slabAfter: 2048,
    slabDelayMs: 1000,
  },
  touch: { minIntervalMs: 60_000, delayMs: 20 },
  /** Calibrated score: σ(a · x + b), fitted on labelled sets (docs/scoring.md has the reliability table). */
  calibration: { a: 3.5, b: -1.5 },
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
    /** Larger JSON files are data rather than text. */
    maxJsonBytes: 256 * 1024,
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
  /** Changes are waited for so long, and no longer than that; after an error, the first wait and the longest. */
  watch: { debounceMs: 300, maxWaitMs: 2000, retryMs: 1000, maxRetryMs: 60_000 },
  /** Chunks that are brought up to date between two turns of the event loop, in one transaction; the wait for another process. */
  reindex: { chunksAStep: 50, retryMs: 50 },
  /** Items that `doctor` analyzes again when it does not look at all of them. */
  doctor: { sample: 200 },
  embed: {
    /** Batches that are under way at the same time. */
    concurrency: 2,
    /** Before each of its steps the worker waits so long, at most, for searches to end. */
    searchFirstMs: 100,
    /** Texts a batch where the embedder does not say. */
    maxBatch: 64,
    /** A failed text waits this long, doubling up to the longest. */
    minRetryMs: 1000,
    maxRetryMs: 3_600_000,
    /** The jobs of a worker of which nothing else is known are taken over after so long. */
    maxLeaseMs: 3_600_000,
    /** Chunks that no process has queued are looked for at most so often, when a search finds some missing. */
    lookForMissingMs: 60_000,
    /** A request: how long it may take, how often it is tried again, and the waits (the first doubles). */
    requestTimeoutMs: 60_000,
    retries: 3,
    retryBaseMs: 500,
    maxRetryAfterMs: 60_000,
    /** A server's answer is read up to so many bytes a text, and as many more. */
    maxAnswerBytes: 1024 * 1024,
    /** A query is tried again once, after so long, and not when the server asks for a longer wait. */
    queryRetryMs: 50,
    /** A text that is too long for the model is halved, and its parts again, so often: into at most 64. */
    maxHalvings: 6,
    /** A divided batch is given up after so many requests of which none succeeded. */
    hopelessAfterFailures: 16,
    /** Queries stop asking an embedder that failed so often in a row, and probe it after the cool-down. */
    breaker: { threshold: 3, coolDownMs: 30_000 },
    queryCacheBytes: 8 * 1024 * 1024,
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
