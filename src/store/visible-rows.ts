import type { QueryPlan } from '../contracts/index.js';
import type { RowSet } from '../core/vector/quantised-matrix.js';
import type { Connection } from './connection.js';
import { FLAGS, kindCode } from './kinds.js';
import { buildRowFilter } from './row-filter.js';
import type { Scopes } from './scopes.js';
import type { VectorRows } from './vector-rows.js';

/** Row sets kept: viewers and filters that take turns. */
const MAX_CACHED = 16;
/** A set smaller than this share of the rows is listed too. */
const LIST_SHARE = 1 / 4;

interface Cached {
  version: number;
  /** Valid between these times: something expires at the second. */
  from: number;
  until: number;
  rows: RowSet;
}

/**
 * Which rows of a space a plan may see: the condition of `buildRowFilter`, decided in memory where all it needs is
 * there. What a viewer saw last is remembered until the rows change or one of them expires.
 */
export class VisibleRows {
  readonly #connection: Connection;
  readonly #scopes: Scopes;
  readonly #rows: VectorRows;
  readonly #cached = new Map<string, Cached>();

  constructor(connection: Connection, scopes: Scopes, rows: VectorRows) {
    this.#connection = connection;
    this.#scopes = scopes;
    this.#rows = rows;
  }

  /** Call after `refresh` of the rows, in the same reading transaction. */
  of(plan: QueryPlan): RowSet {
    const { filter } = plan;
    if (plan.asOf !== null || filter.tags.length > 0 || plan.query.condition !== null) {
      return this.#byStatement(plan);
    }
    const scopes = this.#scopes.visible(plan.viewer, filter.visibilities);
    const sources = filter.sources.length === 0 ? null : this.#sourceIds(plan);
    const key = JSON.stringify([
      scopes,
      plan.include.toSorted(),
      filter.kinds,
      sources,
      filter.after,
      filter.before,
    ]);
    const known = this.#cached.get(key);
    if (known && known.version === this.#rows.version && known.from <= plan.now && plan.now < known.until) {
      return known.rows;
    }
    const made = this.#decide(plan, new Set(scopes), sources);
    // The oldest goes first; one that is renewed is the newest again.
    this.#cached.delete(key);
    if (this.#cached.size >= MAX_CACHED) this.#cached.delete(this.#cached.keys().next().value!);
    this.#cached.set(key, made);
    return made.rows;
  }

  #decide(plan: QueryPlan, scopes: ReadonlySet<number>, sources: readonly number[] | null): Cached {
    const rows = this.#rows;
    const { after, before, kinds } = plan.filter;
    const hidden =
      (plan.include.includes('archived') ? 0 : FLAGS.archived) |
      (plan.include.includes('superseded') ? 0 : FLAGS.superseded);
    const expired = plan.include.includes('expired');
    const kindCodes = new Set(kinds.map(kindCode));
    const ofSource = sources && new Set(sources);
    const bits = new Uint8Array(Math.ceil(rows.end / 8));
    let count = 0;
    let until = Number.POSITIVE_INFINITY;
    for (let row = 0; row < rows.end; row++) {
      if (rows.isFree(row) || !scopes.has(rows.scopes[row]!) || (rows.flags[row]! & hidden) !== 0) continue;
      if (kindCodes.size > 0 && !kindCodes.has(rows.kinds[row]!)) continue;
      if (after !== null && rows.authoredAt[row]! < after) continue;
      if (before !== null && rows.authoredAt[row]! >= before) continue;
      if (ofSource && !ofSource.has(rows.sources[row]!)) continue;
      if (!expired) {
        const expiresAt = rows.expiresAt[row]!;
        if (expiresAt <= plan.now) continue;
        if (expiresAt < until) until = expiresAt;
      }
      bits[row >> 3]! |= 1 << (row & 7);
      count++;
    }
    return { version: rows.version, from: plan.now, until, rows: rowSet(bits, count, rows.end) };
  }

  #byStatement(plan: QueryPlan): RowSet {
    const filter = buildRowFilter(this.#connection, this.#scopes, plan);
    const bits = new Uint8Array(Math.ceil(this.#rows.end / 8));
    let count = 0;
    if (!filter.empty) {
      for (const chunk of this.#connection.values<number>(
        `SELECT v.chunk FROM visibility v WHERE ${filter.sql}`,
        ...filter.params,
      )) {
        const row = this.#rows.rowOf(chunk);
        if (row === undefined) continue;
        bits[row >> 3]! |= 1 << (row & 7);
        count++;
      }
    }
    return rowSet(bits, count, this.#rows.end);
  }

  #sourceIds(plan: QueryPlan): number[] {
    return this.#connection.values<number>(
      'SELECT source_id FROM sources WHERE workspace = ? AND name IN (SELECT value FROM json_each(?)) ORDER BY source_id',
      plan.viewer.workspace,
      JSON.stringify(plan.filter.sources),
    );
  }
}

function rowSet(bits: Uint8Array, count: number, end: number): RowSet {
  if (count >= end * LIST_SHARE) return { bits, count, list: null };
  const list = new Uint32Array(count);
  let at = 0;
  for (const [i, byte] of bits.entries()) {
    if (byte === 0) continue;
    for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) list[at++] = i * 8 + bit;
  }
  return { bits, count, list };
}

/** Whether a row is in a set. */
export function isIn(set: RowSet, row: number): boolean {
  return (set.bits[row >> 3]! & (1 << (row & 7))) !== 0;
}
