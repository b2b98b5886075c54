/** A term, or terms side by side, as an FTS5 string. Terms come from the analyzer; FTS5 reads nothing in them as syntax. */
export function ftsString(terms: string): string {
  return `"${terms.replaceAll('"', '')}"`;
}
