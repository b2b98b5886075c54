import type { Analyzer, ParsedQuery, QueryTerm } from '../../contracts/index.js';
import { foldMarks } from '../analysis/fold.js';
import { defaults } from '../defaults.js';
import { queryPhrases } from './phrases.js';

/** In how many chunks each term occurs. */
export type DocumentFrequency = (terms: readonly QueryTerm[]) => number[];

/**
 * Takes a text apart: its content words (function words only when nothing else is there), whole forms of identifiers,
 * accented forms, and quoted phrases.
 * Every text is accepted; nothing in it is syntax but a balanced pair of double quotes.
 */
export function parseQuery(text: string, analyzer: Analyzer, frequency?: DocumentFrequency): ParsedQuery {
  const { maxChars, maxTerms } = defaults.query;
  const looked = text.slice(0, maxChars);
  const tokens = analyzer.scan(looked);
  const shouted = looked === looked.toUpperCase();
  const words = tokens.flatMap((token) => token.words);
  const content = words.filter((word) => !word.stopWord && !(shouted && isStopWord(word.term, analyzer)));
  const onlyStopWords = content.length === 0 && words.length > 0;

  const terms = new Map<string, QueryTerm>();
  const add = (term: string, field: QueryTerm['field'], surface: string, prefix = false) => {
    if (term !== '' && !terms.has(term)) terms.set(term, { term, field, surface, prefix });
  };
  for (const word of onlyStopWords ? words : content) {
    const surface = looked.slice(word.start, word.end);
    // The index holds pairs of CJK characters: one alone is the beginning of a pair, or the last of its run.
    add(word.term, 'word', surface, isLoneCjk(word.term, surface));
  }
  const identifiers = new Set<string>();
  for (const token of tokens) {
    if (!token.identifier) continue;
    for (const whole of token.wholes) {
      identifiers.add(whole);
      add(whole, 'exact', looked.slice(token.start, token.end));
    }
  }
  for (const word of onlyStopWords ? words : content) {
    // An accented spelling is asked for on purpose; an inflected one is not, and counting it twice lost 1 to 3 points.
    if (word.surface !== null && foldMarks(word.surface) !== word.surface)
      add(word.surface, 'exact', looked.slice(word.start, word.end));
  }
  const kept = keepRarest([...terms.values()], maxTerms, frequency);
  return {
    text,
    terms: kept,
    identifiers: [...identifiers],
    phrases: queryPhrases(looked, analyzer),
    dropped: terms.size - kept.length,
    onlyStopWords,
  };
}

function isStopWord(term: string, analyzer: Analyzer): boolean {
  return analyzer.scan(term).some((token) => token.words.some((word) => word.stopWord));
}

function isLoneCjk(term: string, surface: string): boolean {
  return [...surface].length === 1 && [...term].length === 1 && LONE_CJK.test(term);
}

const LONE_CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u;

/** Over the cap, terms that match nothing go first, then the most common. The order of the query stays. */
function keepRarest(terms: QueryTerm[], cap: number, frequency: DocumentFrequency | undefined): QueryTerm[] {
  if (terms.length <= cap) return terms;
  if (!frequency) return terms.slice(0, cap);
  const counts = frequency(terms);
  const rank = (i: number) => (counts[i] === 0 ? Number.POSITIVE_INFINITY : counts[i]!);
  const kept = new Set(
    terms
      .map((_, i) => i)
      .sort((a, b) => rank(a) - rank(b) || a - b)
      .slice(0, cap),
  );
  return terms.filter((_, i) => kept.has(i));
}
