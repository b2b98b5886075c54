import type { QueryCondition } from '../contracts/index.js';
import { ftsString } from './fts-string.js';

/** A condition of the advanced syntax as a SELECT of the keys of the items that fulfil it, with its parameters. */
export function conditionQuery(condition: QueryCondition): { sql: string; values: string[] } {
  if (condition.type === 'terms') {
    return {
      sql: 'SELECT c.item_key FROM lexical JOIN chunks c ON c.chunk = lexical.rowid WHERE lexical MATCH ?',
      values: [matchOf(condition)],
    };
  }
  if (condition.type === 'not') {
    const { sql, values } = conditionQuery(condition.part);
    return { sql: `SELECT item_key FROM items EXCEPT SELECT * FROM (${sql})`, values };
  }
  const parts = condition.parts.map(conditionQuery);
  return {
    // Compound selects are read from the left and know no brackets: each part is a table of its own.
    sql: parts
      .map(({ sql }) => `SELECT * FROM (${sql})`)
      .join(condition.type === 'and' ? ' INTERSECT ' : ' UNION '),
    values: parts.flatMap(({ values }) => values),
  };
}

function matchOf({ terms, prefix, field, exact }: Extract<QueryCondition, { type: 'terms' }>): string {
  const column = exact ? 'exact : ' : field ? `${field} : ` : '';
  return `${column}${ftsString(terms.join(' '))}${prefix ? ' *' : ''}`;
}
