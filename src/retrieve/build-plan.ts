import type {
  Analyzer,
  LexicalIndex,
  QueryPlan,
  ResolvedFilter,
  ResolvedViewer,
  SearchFilter,
  SearchOptions,
  StreamName,
} from '../contracts/index.js';
import { parseAdvancedQuery } from '../core/query/parse-advanced-query.js';
import { parseQuery } from '../core/query/parse-query.js';
import { cleanText } from '../core/text.js';
import { toTime, toTimeOrNull } from '../core/time.js';

/** Everything the streams need to know, from a text and checked options. */
export function buildPlan(
  text: string,
  o: SearchOptions,
  context: {
    analyzer: Analyzer;
    lexical: LexicalIndex;
    viewer: ResolvedViewer;
    streams: readonly StreamName[];
    now: number;
  },
): QueryPlan {
  return {
    query:
      o.syntax === 'advanced'
        ? parseAdvancedQuery(text, context.analyzer)
        : parseQuery(text, context.analyzer, (terms) => context.lexical.documentFrequency(terms)),
    viewer: context.viewer,
    filter: resolveFilter(o.filter),
    include: o.include ?? [],
    asOf: toTimeOrNull(o.asOf, 'asOf'),
    now: o.now === undefined ? context.now : toTime(o.now, 'now'),
    groupBy: o.groupBy ?? 'item',
    streams: context.streams,
  };
}

export function resolveFilter(filter: SearchFilter = {}): ResolvedFilter {
  const source = filter.source ?? [];
  return {
    kinds: filter.kinds ?? [],
    // As they are stored.
    tags: [...new Set((filter.tags ?? []).map((tag) => cleanText(tag).trim()).filter((tag) => tag !== ''))],
    sources: typeof source === 'string' ? [source] : source,
    visibilities: filter.visibilities ?? [],
    after: toTimeOrNull(filter.after, 'filter.after'),
    before: toTimeOrNull(filter.before, 'filter.before'),
    minLexical: filter.minLexical ?? null,
    minCosine: filter.minCosine ?? null,
  };
}
