import type {
  Candidate,
  ChunkKey,
  ItemKey,
  LexicalCandidate,
  LexicalIndex,
  LexicalRow,
  QueryPlan,
  QueryTerm,
} from '../contracts/index.js';
import { defaults } from '../core/defaults.js';
import type { Connection } from './connection.js';
import { ftsString as quote } from './fts-string.js';
import { kindCode } from './kinds.js';
import { buildRowFilter, type RowFilter } from './row-filter.js';
import type { Scopes } from './scopes.js';
import type { TermStatistics } from './term-statistics.js';

type FoundRow = [chunk: number, item: number, score: number, authoredAt: number, kind: number, scope: number];

/**
 * The lexical index over FTS5. Nothing outside this file (and the schema) knows that it is FTS5. It is an ordinary
 * table that keeps the terms as its content: with contentless-delete the row count never falls and every score
 * drifts with each edit.
 */
export class Fts5LexicalIndex implements LexicalIndex {
  readonly #connection: Connection;
  readonly #scopes: Scopes;
  readonly #statistics: TermStatistics;

  constructor(connection: Connection, scopes: Scopes, statistics: TermStatistics) {
    this.#connection = connection;
    this.#scopes = scopes;
    this.#statistics = statistics;
  }

  put(chunk: ChunkKey, row: LexicalRow, isNew: boolean): void {
    const old = isNew ? undefined : this.#get(chunk);
    if (old) {
      if (
        old.title === row.title &&
        old.body === row.body &&
        old.exact === row.exact &&
        old.header === row.header
      )
        return;
      this.#connection.run(
        'UPDATE lexical SET title = ?, body = ?, exact = ?, header = ? WHERE rowid = ?',
        row.title,
        row.body,
        row.exact,
        row.header,
        chunk,
      );
    } else {
      this.#connection.run(
        'INSERT INTO lexical (rowid, title, body, exact, header) VALUES (?, ?, ?, ?, ?)',
        chunk,
        row.title,
        row.body,
        row.exact,
        row.header,
      );
    }
  }

  remove(chunk: ChunkKey): void {
    this.#connection.run('DELETE FROM lexical WHERE rowid = ?', chunk);
  }

  search(terms: readonly QueryTerm[], plan: QueryPlan, limit: number): LexicalCandidate[] {
    return terms.length === 0 ? [] : this.#best(matchExpression(terms), plan, limit);
  }

  searchExact(plan: QueryPlan, limit: number): Candidate[] {
    const { identifiers, phrases } = plan.query;
    const counts = this.documentFrequency(
      identifiers.map((term) => ({ term, field: 'exact', surface: term, prefix: false })),
    );
    // What half the store holds names nothing.
    const most = Math.max(defaults.exact.maxChunks, defaults.exact.maxShare * this.size());
    const whole = identifiers
      .filter((_, i) => counts[i]! > 0 && counts[i]! <= most)
      .map((term) => `exact : ${quote(term)}`);
    const together = phrases.map((stems) => quote(stems.join(' ')));
    const wanted = [...whole, ...together].slice(0, defaults.query.maxTerms);
    return wanted.length === 0 ? [] : this.#best(wanted.join(' OR '), plan, limit);
  }

  #best(match: string, plan: QueryPlan, limit: number): LexicalCandidate[] {
    const filter = buildRowFilter(this.#connection, this.#scopes, plan);
    if (filter.empty) return [];
    // Several chunks of one item take one place, so that more rows than `limit` may be needed.
    for (let rows = limit; ; ) {
      const found = this.#find(match, filter, plan.now, rows);
      const candidates = plan.groupBy === 'chunk' ? found.map(toCandidate) : collapse(found, limit);
      if (candidates.length >= limit || found.length < rows) return candidates;
      // One long document may hold thousands of the best rows: the fewer items they were, the more rows come next.
      rows = Math.ceil(rows * Math.max(4, (2 * limit) / candidates.length));
    }
  }

  texts(chunks: readonly ChunkKey[]): Map<ChunkKey, Pick<LexicalRow, 'title' | 'body'>> {
    // The content table of the index: half the time of asking the index itself.
    const rows = this.#connection.rows<[chunk: number, title: string, body: string]>(
      'SELECT id, c0, c1 FROM lexical_content WHERE id IN (SELECT value FROM json_each(?))',
      JSON.stringify(chunks),
    );
    return new Map(rows.map(([chunk, title, body]) => [chunk as ChunkKey, { title, body }]));
  }

  score(terms: readonly QueryTerm[], plan: QueryPlan, items: readonly ItemKey[]): Map<ItemKey, number> {
    const scores = new Map<ItemKey, number>();
    if (terms.length === 0 || items.length === 0) return scores;
    const filter = buildRowFilter(this.#connection, this.#scopes, plan);
    if (filter.empty) return scores;
    const among: RowFilter = {
      sql: `${filter.sql} AND v.item_key IN (SELECT value FROM json_each(?))`,
      params: [...filter.params, JSON.stringify(items)],
      empty: false,
    };
    for (const [, item, score] of this.#find(matchExpression(terms), among, plan.now, -1)) {
      const key = item as ItemKey;
      if (!scores.has(key)) scores.set(key, finite(score));
    }
    return scores;
  }

  documentFrequency(terms: readonly QueryTerm[]): number[] {
    return this.#statistics.frequencies(terms);
  }

  size(): number {
    // One row a chunk, and chunks are counted faster than rows of a virtual table.
    return this.#connection.value<number>('SELECT count(*) FROM chunks') ?? 0;
  }

  /**
   * Best rows first, ties to the newer, then to the earlier added. bm25() is negative, better is lower, so a larger
   * factor must multiply it (dividing would rank the weakest first). Without a row that is stronger or weaker than
   * an untouched one the factor is 1 everywhere and is left out.
   */
  #find(match: string, filter: RowFilter, now: number, limit: number): FoundRow[] {
    const { title, body, exact, header } = defaults.columns;
    const bm25 = `bm25(lexical, ${title}, ${body}, ${exact}, ${header})`;
    const score = this.#hasFactors() ? `${bm25} * ${FACTOR}` : bm25;
    const factorParams = score === bm25 ? [] : [now];
    return this.#connection.rows<FoundRow>(
      `SELECT lexical.rowid, v.item_key, ${score} AS score, v.authored_at, v.kind, v.scope_id
       FROM lexical JOIN visibility v ON v.chunk = lexical.rowid
       WHERE lexical MATCH ? AND ${filter.sql}
       ORDER BY score, v.authored_at DESC, lexical.rowid LIMIT ?`,
      ...factorParams,
      match,
      ...filter.params,
      limit,
    );
  }

  #hasFactors(): boolean {
    return this.#connection.value<number>('SELECT EXISTS (SELECT 1 FROM visibility WHERE neutral = 0)') === 1;
  }

  #get(chunk: ChunkKey): LexicalRow | undefined {
    return this.#connection.get<LexicalRow>(
      'SELECT title, body, exact, header FROM lexical WHERE rowid = ?',
      chunk,
    );
  }
}

/**
 * `strengthFactor` of core/decay.ts in SQL (a test compares the two): strength fades with the days since the last
 * access for memories only; the factor is divided by its neutral value and clamped.
 */
const FACTOR = `CASE WHEN v.neutral THEN 1.0 ELSE min(${defaults.factor.max}.0, max(${defaults.factor.min}, (1 + v.importance) / ${defaults.factor.neutral} *
  CASE WHEN v.kind = ${kindCode('memory')}
    THEN max(${defaults.decay.floor}, v.strength * exp(-max(0, ? - v.last_access) / ${defaults.decay.dayMs}.0
      / (${defaults.decay.baseDays}.0 * (1 + ln(1 + v.accesses)) * (1 + v.importance))))
    ELSE v.strength END)) END`;

const MESSAGE = kindCode('message');

/** OR of quoted terms. Terms come from the analyzer and hold no quote; FTS5 reads nothing in them as syntax. */
function matchExpression(terms: readonly QueryTerm[]): string {
  return terms.map((term) => `${quote(term.term)}${term.prefix ? ' *' : ''}`).join(' OR ');
}

function collapse(rows: readonly FoundRow[], limit: number): LexicalCandidate[] {
  const seen = new Set<number>();
  const candidates: LexicalCandidate[] = [];
  for (const row of rows) {
    if (seen.has(row[1])) continue;
    seen.add(row[1]);
    candidates.push(toCandidate(row));
    if (candidates.length === limit) break;
  }
  return candidates;
}

function toCandidate([chunk, item, score, authoredAt, kind, scope]: FoundRow): LexicalCandidate {
  return {
    chunk: chunk as ChunkKey,
    item: item as ItemKey,
    raw: finite(score),
    authoredAt,
    conversation: kind === MESSAGE ? scope : null,
  };
}

/** Higher is better from here on. */
function finite(score: number): number {
  return Number.isFinite(score) ? -score : 0;
}
