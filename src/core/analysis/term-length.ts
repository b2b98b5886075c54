/** Longest term, in UTF-16 units. What is longer says nothing more and makes the index swell. */
const MAX_TERM = 64;

/** A term cut to the longest length, not within a surrogate pair. */
export function limitTerm(term: string): string {
  if (term.length <= MAX_TERM) return term;
  const code = term.charCodeAt(MAX_TERM - 1);
  return term.slice(0, code >= 0xd800 && code <= 0xdbff ? MAX_TERM - 1 : MAX_TERM);
}
