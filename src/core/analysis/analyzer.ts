import type { AnalyzedToken, Analyzer, IndexedText, Token } from '../../contracts/index.js';
import { RawTokenScanner } from './raw-tokens.js';
import { TokenCache } from './token-cache.js';
import { NO_PARTS, TokenDivider, type TokenParts } from './token-parts.js';

/** Raise it whenever the same text may give other terms: stored rows of an older version are then analyzed again. */
const ANALYZER_VERSION = 1;

/** Longer tokens are rare and seldom seen again. */
const MAX_CACHED_LENGTH = 40;

/**
 * The analyzer of English and of everything that is not written in Latin letters: Porter stems, folded marks, CJK
 * bigrams, dictionary words for Thai, Lao, Khmer and Burmese, identifiers whole and in parts.
 */
export function createAnalyzer(): Analyzer {
  const scanner = new RawTokenScanner();
  const divider = new TokenDivider();
  const cache = new TokenCache<TokenParts>();

  /** Calls back for every raw token of the text. */
  function visit(text: string, call: (token: TokenParts, start: number, end: number) => void): void {
    scanner.scan(text, (start, end, keyEnd, hash) => {
      if (keyEnd === start) {
        call(NO_PARTS, start, end);
      } else if (keyEnd - start > MAX_CACHED_LENGTH) {
        call(divider.divide(text.slice(start, keyEnd)), start, keyEnd);
      } else {
        let token = cache.find(text, start, keyEnd, hash);
        if (token === undefined) {
          token = divider.divide(ownCopy(text, start, keyEnd));
          cache.put(token, hash);
        }
        call(token, start, keyEnd);
      }
    });
  }

  return {
    version: ANALYZER_VERSION,
    visit,
    index(text: string): IndexedText {
      let words = '';
      let exact = '';
      visit(text, ({ indexed }) => {
        if (indexed.words !== '') words = words === '' ? indexed.words : `${words} ${indexed.words}`;
        if (indexed.exact !== '') exact = exact === '' ? indexed.exact : `${exact} ${indexed.exact}`;
      });
      return { words, exact };
    },
    tokens(text: string): Token[] {
      const tokens: Token[] = [];
      visit(text, ({ words }, start) => {
        for (const word of words)
          tokens.push({ term: word.term, start: start + word.start, end: start + word.end });
      });
      return tokens;
    },
    scan(text: string): AnalyzedToken[] {
      const tokens: AnalyzedToken[] = [];
      visit(text, (token, start, end) => {
        const words = token.words.map((word) => ({
          term: word.term,
          start: start + word.start,
          end: start + word.end,
          surface: word.surface,
          stopWord: word.stopWord,
        }));
        tokens.push({ start, end, words, wholes: token.wholes, identifier: token.identifier });
      });
      return tokens;
    },
  };
}

/** A token that does not keep the text alive it was cut from, as slices of 13 units or more do. */
function ownCopy(text: string, start: number, end: number): string {
  const slice = text.slice(start, end);
  return slice.length < 13 ? slice : ` ${slice}`.slice(1);
}
