import { z } from 'zod';
import { include, itemOptions, kind, space, stream, time, vector, visibility } from './common.js';

export const filter = z.strictObject({
  kinds: z.array(kind).optional(),
  tags: z.array(z.string()).max(100).optional(),
  source: z.union([z.string(), z.array(z.string())]).optional(),
  visibilities: z.array(visibility).optional(),
  after: time.optional(),
  before: time.optional(),
  minLexical: z.number().min(0).max(1).optional(),
  minCosine: z.number().min(-1).max(1).optional(),
});

const fusionName = z.enum(['rrf', 'convex']);

export const fusion = z.union([
  fusionName,
  z.strictObject({
    name: fusionName,
    k: z.number().min(0).optional(),
    alpha: z.number().min(0).max(1).optional(),
  }),
]);

const weight = z.number().min(0).max(1000);

export const searchOptions = z.strictObject({
  ...itemOptions.shape,
  limit: z.int().min(1).max(1000).optional(),
  offset: z.int().min(0).max(100_000).optional(),
  streams: z.array(stream).min(1).optional(),
  fusion: fusion.optional(),
  weights: z
    .strictObject({
      lexical: weight.optional(),
      exact: weight.optional(),
      vector: weight.optional(),
      entity: weight.optional(),
      graph: weight.optional(),
    })
    .optional(),
  prior: z.enum(['on', 'off']).optional(),
  syntax: z.enum(['text', 'advanced']).optional(),
  queryText: z.string().optional(),
  queryVector: vector.optional(),
  space: space.optional(),
  filter: filter.optional(),
  include: include.optional(),
  asOf: time.optional(),
  groupBy: z.enum(['item', 'chunk']).optional(),
  linked: z.int().min(0).max(10).optional(),
  touch: z.boolean().optional(),
  explain: z.boolean().optional(),
  require: z.array(stream).optional(),
  deadlineMs: z.number().min(0).max(600_000).optional(),
  now: time.optional(),
});
