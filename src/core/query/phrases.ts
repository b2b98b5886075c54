import type { Analyzer } from '../../contracts/index.js';
import { queryWords } from './query-words.js';

/** Quoted stretches of two words or more, as lists of stems. A quote without its partner is an ordinary sign. */
export function queryPhrases(text: string, analyzer: Analyzer): string[][] {
  const phrases: string[][] = [];
  const pieces = text.split(/["“”„«»]/);
  // Between the first and second quote lies piece 1, between the third and fourth piece 3, and so on.
  for (let i = 1; i + 1 < pieces.length; i += 2) {
    const stems = analyzer.scan(pieces[i]!).flatMap((token) => queryWords(token).map((word) => word.term));
    if (stems.length >= 2) phrases.push(stems);
  }
  return phrases;
}
