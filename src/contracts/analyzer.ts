/** One term of a text with the place it came from (UTF-16 units of the text as given, [start, end)). */
export interface Token {
  term: string;
  start: number;
  end: number;
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
  /** Stems with offsets, for highlights and phrases. */
  tokens(text: string): Token[];
}
