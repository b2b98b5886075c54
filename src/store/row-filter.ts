import type { Include, QueryCondition, ResolvedFilter, ResolvedViewer } from '../contracts/index.js';
import { conditionQuery } from './condition-query.js';
import type { Connection } from './connection.js';
import { FLAGS, kindCode } from './kinds.js';
import type { Scopes } from './scopes.js';

/** A condition over the narrow rows (alias `v`), with its parameters in order. */
export interface RowFilter {
  sql: string;
  params: (string | number)[];
  /** Nothing can fulfil it. */
  empty: boolean;
}

export interface RowFilterInput {
  viewer: ResolvedViewer;
  filter: Omit<ResolvedFilter, 'minLexical' | 'minCosine'>;
  include: readonly Include[];
  asOf: number | null;
  now: number;
  /** What the query demands of an item, beside what the caller's filter does. */
  query?: { condition: QueryCondition | null };
}

/** Builds the one condition that every stream applies before its cut: access, liveness, and the caller's filter. */
export function buildRowFilter(connection: Connection, scopes: Scopes, o: RowFilterInput): RowFilter {
  const scopeIds = scopes.visible(o.viewer, o.filter.visibilities);
  const conditions: string[] = [];
  const params: (string | number)[] = [];
  const where = (sql: string, ...values: (string | number)[]) => {
    conditions.push(sql);
    params.push(...values);
  };
  let empty = scopeIds.length === 0;

  const scopeList = inList(scopeIds);
  where(`v.scope_id IN ${scopeList.sql}`, ...scopeList.params);
  if (o.asOf === null) {
    const hidden =
      (o.include.includes('archived') ? 0 : FLAGS.archived) |
      (o.include.includes('superseded') ? 0 : FLAGS.superseded);
    if (hidden !== 0) where(`v.flags & ${hidden} = 0`);
    if (!o.include.includes('expired')) where('(v.expires_at IS NULL OR v.expires_at > ?)', o.now);
  } else {
    const alive = ['i.created_at <= ?'];
    const values = [o.asOf];
    const since = (column: string, state: Include) => {
      if (o.include.includes(state)) return;
      alive.push(`(i.${column} IS NULL OR i.${column} > ?)`);
      values.push(o.asOf!);
    };
    since('archived_at', 'archived');
    since('superseded_at', 'superseded');
    since('expires_at', 'expired');
    where(
      `EXISTS (SELECT 1 FROM items i WHERE i.item_key = v.item_key AND ${alive.join(' AND ')})`,
      ...values,
    );
  }
  const { kinds, tags, sources, after, before } = o.filter;
  if (kinds.length > 0) where(`v.kind IN (${kinds.map(kindCode).join(', ')})`);
  if (after !== null) where('v.authored_at >= ?', after);
  if (before !== null) where('v.authored_at < ?', before);
  if (sources.length > 0) {
    const ids = connection.values<number>(
      'SELECT source_id FROM sources WHERE workspace = ? AND name IN (SELECT value FROM json_each(?))',
      o.viewer.workspace,
      JSON.stringify(sources),
    );
    if (ids.length === 0) empty = true;
    const list = inList(ids);
    where(`v.source_id IN ${list.sql}`, ...list.params);
  }
  for (const tag of tags) {
    where('EXISTS (SELECT 1 FROM item_tags t WHERE t.tag = ? AND t.item_key = v.item_key)', tag);
  }
  if (o.query?.condition) {
    const { sql, values } = conditionQuery(o.query.condition);
    where(`v.item_key IN (${sql})`, ...values);
  }
  return { sql: conditions.join(' AND '), params, empty };
}

/**
 * A list for IN. Short lists are padded to a power of two with their last entry, so that few statement texts serve
 * all lengths; long ones travel as JSON, since a statement takes 32,766 parameters at most.
 */
function inList(values: readonly number[]): { sql: string; params: (string | number)[] } {
  if (values.length === 0) return { sql: '(-1)', params: [] };
  if (values.length > MAX_LISTED) {
    return { sql: '(SELECT value FROM json_each(?))', params: [JSON.stringify(values)] };
  }
  const size = 2 ** Math.ceil(Math.log2(values.length));
  const params = Array.from({ length: size }, (_, i) => values[Math.min(i, values.length - 1)]!);
  return { sql: `(${params.map(() => '?').join(', ')})`, params };
}

const MAX_LISTED = 256;
