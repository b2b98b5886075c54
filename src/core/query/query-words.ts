import type { AnalyzedToken, AnalyzedWord } from '../../contracts/index.js';

const CJK_CHARACTER = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u;

/**
 * The words of a query's token. The index also holds the last character of each CJK run alone, so that a prefix finds
 * every single one; in a query the pairs have said it already, and the character alone would only find others.
 */
export function queryWords(token: AnalyzedToken): AnalyzedWord[] {
  if (token.words.length < 2) return [...token.words];
  return token.words.filter((word, i) => {
    const before = token.words[i - 1];
    return !(before !== undefined && isCjkCharacter(word.term) && closes(before, word));
  });
}

/** One CJK character: alone in a query it is the beginning of a pair, or the last of its run. */
export function isCjkCharacter(term: string): boolean {
  return CJK_CHARACTER.test(term);
}

/** The word is the second half of the pair before it, not a run of its own. */
function closes(pair: AnalyzedWord, word: AnalyzedWord): boolean {
  return pair.end === word.end && pair.term.length > word.term.length && pair.term.endsWith(word.term);
}
