import { CorvidError } from '../index.js';
import type { Collection } from './collection.js';
import { badLine, quote, readLines, writeText } from './text-file.js';

/** A run: query id → ids of documents, best first. */
export type Run = Map<string, string[]>;

const COLUMNS =
  'Write: query-id Q0 document-id rank score tag, or query-id, document-id, rank, score separated by tabs.';

/**
 * Writes a run in the form of TREC, `query-id Q0 document-id rank score tag`. trec_eval orders by score and not by
 * rank, and equal scores by id; the score written is therefore 1/rank, which no two lines of a query share.
 *
 * @throws CorvidError `bad-collection` for an id that the form cannot hold, `io`.
 */
export function writeRun(path: string, run: Run, tag = 'corvid'): void {
  const lines: string[] = [];
  for (const [query, documents] of run) {
    assertRunId(query, 'query');
    documents.forEach((document, i) => {
      assertRunId(document, 'document');
      lines.push(`${query} Q0 ${document} ${i + 1} ${1 / (i + 1)} ${tag}\n`);
    });
  }
  writeText(path, lines.join(''));
}

/** Refuses a collection whose ids a run file cannot hold, before it is evaluated. */
export function assertRunIds(collection: Collection): void {
  for (const { id } of collection.queries) assertRunId(id, 'query');
  for (const { id } of collection.documents) assertRunId(id, 'document');
}

/**
 * Reads a run, in the order of its ranks. Lines have six columns (TREC) or four separated by tabs.
 *
 * @throws CorvidError `bad-collection` with file and line.
 */
export function readRun(path: string): Run {
  const ranked = new Map<string, Map<string, number>>();
  for (const { number, text } of readLines(path, 'Name a run file.')) {
    const place = { path, line: number };
    const trec = text.trim().split(/\s+/);
    const cells =
      trec.length === 6 ? [trec[0], trec[2], trec[3]] : text.split('\t').map((cell) => cell.trim());
    const [query, document, rankText] = cells;
    if ((trec.length !== 6 && cells.length !== 4) || !query || !document || !rankText) {
      throw badLine(place, `is no line of a run: ${quote(text)}`, COLUMNS);
    }
    const rank = Number(rankText);
    if (!Number.isFinite(rank))
      throw badLine(place, `has a rank that is no number: ${quote(rankText)}`, COLUMNS);
    const ofQuery = ranked.get(query) ?? new Map<string, number>();
    if (ofQuery.has(document)) {
      throw badLine(
        place,
        `repeats document ${quote(document)} for query ${quote(query)}`,
        'List every document once a query.',
      );
    }
    ranked.set(query, ofQuery.set(document, rank));
  }
  return new Map(
    [...ranked].map(([query, documents]) => [
      query,
      [...documents].sort(([, a], [, b]) => a - b).map(([document]) => document),
    ]),
  );
}

function assertRunId(id: string, what: 'query' | 'document'): void {
  if (!/\s/.test(id)) return;
  throw new CorvidError(
    'bad-collection',
    `The ${what} id ${quote(id)} holds white space, which separates the columns of a run file.`,
    { hint: 'Give it an id without white space, or write no run.' },
  );
}
