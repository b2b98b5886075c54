import { z } from 'zod';
import type { Json } from '../contracts/index.js';

/** A string, a safe integer or a bigint; the store turns it into text. */
export const id = z.union([z.string(), z.number(), z.bigint()]);

export const time = z.union([z.string(), z.number(), z.date()]);

export const signal = z.custom<AbortSignal>(
  (value) => typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value,
  { error: 'An AbortSignal' },
);

export const onProgress = z.custom<never>((value) => typeof value === 'function', { error: 'A function' });

export const visibility = z.enum(['personal', 'room', 'global']);
export const kind = z.enum(['memory', 'document', 'message', 'observation', 'note']);
export const include = z.array(z.enum(['archived', 'superseded', 'expired']));
export const stream = z.enum(['lexical', 'exact', 'vector', 'entity', 'graph']);

export const json: z.ZodType<Json> = z.json() as z.ZodType<Json>;

export const viewer = z.strictObject({
  workspace: id.optional(),
  project: z.union([id, z.array(id).min(1)]).optional(),
  user: id.nullable().optional(),
  rooms: z.array(id).optional(),
});

export const scope = z.strictObject({
  workspace: id.optional(),
  project: id.optional(),
  visibility: visibility.optional(),
  user: id.optional(),
  room: id.optional(),
});

/** Options of every call on one item. */
export const itemOptions = z.strictObject({ viewer: viewer.optional(), signal: signal.optional() });

/** Finite numbers, as an array or a Float32Array. */
export const vector = z.custom<readonly number[] | Float32Array>(
  (value) =>
    (value instanceof Float32Array || Array.isArray(value)) &&
    value.length > 0 &&
    // Not `every`, which passes over the holes of an array.
    Array.from<unknown>(value).every((x) => Number.isFinite(x)),
  { error: 'An array of finite numbers' },
);

/** What makes vectors comparable. */
export const space = z.strictObject({
  provider: z.string().min(1),
  model: z.string().min(1),
  dimensions: z.int().min(1).optional(),
  queryPrefix: z.string().optional(),
  documentPrefix: z.string().optional(),
  canTruncate: z.boolean().optional(),
});
