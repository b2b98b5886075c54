import type { Analyzer, Explanation, Fusion, Hit, QueryPlan } from '../contracts/index.js';
import { STREAM_ORDER } from '../core/fusion/gather.js';
import { calibrate } from '../core/score.js';
import { makeSnippet } from '../core/snippet.js';
import type { Store } from '../store/store.js';
import type { RankedEntry } from './search-pipeline.js';

/** Reads what the page shows, and nothing of the candidates that are not on it. */
export function makeHits(
  store: Store,
  analyzer: Analyzer,
  plan: QueryPlan,
  page: readonly RankedEntry[],
  o: { fusion: Fusion; evidence: (bm25: number) => number; explain: boolean },
): Hit[] {
  const entries = new Map(page.map((entry) => [entry.candidate.chunk, entry]));
  const hits: Hit[] = [];
  let ceiling = 1;
  for (const chunk of store.items.hydrate([...entries.keys()])) {
    const entry = entries.get(chunk.chunk)!;
    ceiling = Math.min(ceiling, calibrate(evidenceOf(entry, o.evidence)));
    const snippet = makeSnippet(chunk.text, plan.query.terms, analyzer);
    hits.push({
      id: chunk.id,
      kind: chunk.kind,
      title: chunk.title,
      uri: chunk.uri,
      text: chunk.text,
      chunk: { ordinal: chunk.ordinal, start: chunk.start, end: chunk.end, headingPath: chunk.headingPath },
      snippet,
      score: ceiling,
      createdAt: chunk.createdAt,
      occurredAt: chunk.occurredAt,
      scope: chunk.scope,
      ...(o.explain
        ? { explanation: explain(entry, o.fusion, matchedTerms(analyzer, plan, chunk.text, chunk.title)) }
        : {}),
    });
  }
  return hits;
}

function evidenceOf(entry: RankedEntry, evidence: (bm25: number) => number): number {
  const lexical = entry.parts.find((part) => part.stream === 'lexical');
  return lexical ? evidence(lexical.raw) : 0;
}

/** The place of a hit, from the very numbers that ranked it. */
function explain(entry: RankedEntry, fusion: Fusion, terms: string[]): Explanation {
  const streams = Object.fromEntries(STREAM_ORDER.map((name) => [name, null])) as Explanation['streams'];
  for (const { stream, rank, raw, contribution } of entry.parts)
    streams[stream] = { rank, raw, contribution };
  return {
    streams,
    fusion: { name: fusion.name, ...fusion.parameters },
    fused: entry.score,
    prior: entry.prior,
    rerank: null,
    final: entry.final,
    matched: { terms, entities: [], path: [] },
  };
}

/** The query's terms that the chunk or its title holds, in the order of the query. */
function matchedTerms(analyzer: Analyzer, plan: QueryPlan, text: string, title: string | null): string[] {
  const body = analyzer.index(text);
  const head = analyzer.index(title ?? '');
  const held = new Set(`${body.words} ${body.exact} ${head.words} ${head.exact}`.split(' '));
  return plan.query.terms
    .filter((term) => (term.prefix ? [...held].some((h) => h.startsWith(term.term)) : held.has(term.term)))
    .map((term) => term.term);
}
