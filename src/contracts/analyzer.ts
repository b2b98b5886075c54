/** One term of a text with the place it came from (UTF-16 units of the text as given, [start, end)). */
export interface Token {
  term: string;
  start: number;
  end: number;
}

/** One word within a raw token. */
export interface AnalyzedWord extends Token {
  /** The unstemmed, unfolded form, where it differs from the term. */
  surface: string | null;
  /** A function word of the language (decided before stemming and folding). */
  stopWord: boolean;
}

/** A run of characters between blanks and brackets: a word, or an identifier with its parts. */
export interface AnalyzedToken {
  start: number;
  end: number;
  /** Words, parts of identifiers, CJK bigrams, in reading order. */
  words: readonly AnalyzedWord[];
  /** Whole forms of identifiers, versions, paths and the like, each in one normal form. */
  wholes: readonly string[];
  /** The whole forms name something exactly (`rate_limit`, `v1.2.3`), and are not just a hyphenated word. */
  identifier: boolean;
}

/** What the index keeps of a text: terms joined by single spaces. */
export interface IndexedText {
  /** Stems, CJK bigrams and parts of identifiers, in reading order. */
  words: string;
  /** Whole, unstemmed forms where they differ from the stem: inflected or accented words, identifiers, versions. */
  exact: string;
}

/** Turns text into terms, the same way for the index and for queries. No input makes it throw. */
export interface Analyzer {
  /** Changes whenever the same text may give other terms. */
  version: number;
  index(text: string): IndexedText;
  /** Terms with offsets, for highlights and phrases. */
  tokens(text: string): Token[];
  /** Tokens with all that a query needs. */
  scan(text: string): AnalyzedToken[];
  /**
   * What `scan` gives, without making an object: the token is shared between calls, and offsets of its words are
   * relative to `start`.
   */
  visit(text: string, call: (token: AnalyzedToken, start: number, end: number) => void): void;
}
