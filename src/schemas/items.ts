import { z } from 'zod';
import {
  id,
  include,
  itemOptions,
  json,
  kind,
  onProgress,
  scope,
  signal,
  space,
  time,
  vector,
  viewer,
} from './common.js';
import { filter } from './search.js';

const tags = z.array(z.string().min(1).max(200)).max(1000);
const importance = z.number().min(0).max(1);
const strength = z.number().positive().max(1e6);
const meta = z.record(z.string(), json);
const line = z.string().max(10_000);

export const newItem = z.strictObject({
  id: id.optional(),
  kind: kind.optional(),
  title: line.optional(),
  text: z.string().optional(),
  uri: line.optional(),
  source: line.min(1).optional(),
  scope: scope.optional(),
  importance: importance.optional(),
  strength: strength.optional(),
  createdAt: time.optional(),
  occurredAt: time.optional(),
  expiresAt: time.optional(),
  pinned: z.boolean().optional(),
  tags: tags.optional(),
  speaker: line.optional(),
  author: line.optional(),
  keywords: tags.optional(),
  date: line.optional(),
  meta: meta.optional(),
  embedding: vector.optional(),
  space: space.optional(),
});

export const itemPatch = z.strictObject({
  title: line.nullable().optional(),
  text: z.string().nullable().optional(),
  uri: line.nullable().optional(),
  kind: kind.optional(),
  importance: importance.optional(),
  strength: strength.optional(),
  occurredAt: time.nullable().optional(),
  expiresAt: time.nullable().optional(),
  pinned: z.boolean().optional(),
  tags: tags.optional(),
  speaker: line.nullable().optional(),
  author: line.nullable().optional(),
  keywords: tags.optional(),
  date: line.nullable().optional(),
  meta: meta.nullable().optional(),
});

export const addOptions = z.strictObject({
  ...itemOptions.shape,
  wait: z.enum(['embedded']).optional(),
});

export const addManyOptions = z.strictObject({
  ...addOptions.shape,
  onProgress: onProgress.optional(),
  batchSize: z.int().min(1).max(10_000).optional(),
});

export const listOptions = z.strictObject({
  ...itemOptions.shape,
  limit: z.int().min(1).max(1000).optional(),
  cursor: z.string().optional(),
  filter: filter.omit({ minLexical: true, minCosine: true }).optional(),
  include: include.optional(),
  now: time.optional(),
});

export const ingestOptions = z.strictObject({
  scope: scope.optional(),
  source: z.string().min(1).max(4096).optional(),
  maxFileBytes: z.int().min(1).optional(),
  include: z.array(z.string()).optional(),
  exclude: z.array(z.string()).optional(),
  tags: tags.optional(),
  allowEmpty: z.boolean().optional(),
  signal: signal.optional(),
  onProgress: onProgress.optional(),
});

const callback = z.custom<never>((value) => typeof value === 'function', { error: 'A function' });

export const watchOptions = z.strictObject({
  ...ingestOptions.omit({ signal: true, onProgress: true }).shape,
  signal,
  debounceMs: z.int().min(0).max(60_000).optional(),
  maxWaitMs: z.int().min(0).max(600_000).optional(),
  usePolling: z.boolean().optional(),
  onSync: callback.optional(),
  onError: callback.optional(),
});

export const drainOptions = z.strictObject({ signal: signal.optional(), onProgress: onProgress.optional() });

export const doctorOptions = z.strictObject({
  ...drainOptions.shape,
  deep: z.boolean().optional(),
  fix: z.boolean().optional(),
});

export const openOptions = z.strictObject({
  path: z.string().min(1).optional(),
  readOnly: z.boolean().optional(),
  create: z.boolean().optional(),
  journalMode: z.enum(['wal', 'delete']).optional(),
  busyTimeoutMs: z.int().min(0).max(600_000).optional(),
  scope: scope.optional(),
  viewer: viewer.optional(),
  embedder: z.union([z.string(), z.looseObject({})]).optional(),
  formerEmbedder: z.union([z.string(), z.looseObject({})]).optional(),
  clock: z
    .custom<never>(
      (value) =>
        typeof value === 'object' && value !== null && 'now' in value && typeof value.now === 'function',
      { error: 'An object with a function now()' },
    )
    .optional(),
});
