import type { AnalyzedWord, Analyzer, ParsedQuery, QueryTerm } from '../../contracts/index.js';
import { foldMarks } from '../analysis/fold.js';
import { defaults } from '../defaults.js';
import { queryPhrases } from './phrases.js';
import { isCjkCharacter, queryWords } from './query-words.js';

/** Fewer words in capitals are rather names (`US GDP`) than a sentence. */
const MIN_SHOUTED_WORDS = 4;

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
  const words = tokens.flatMap(queryWords);
  const shouted = words.length >= MIN_SHOUTED_WORDS && looked === looked.toUpperCase();
  const quiet = shouted ? quietStopWords(words, analyzer) : undefined;
  const content = words.filter((word) => !word.stopWord && !quiet?.has(word.term));
  const onlyStopWords = content.length === 0 && words.length > 0;

  const terms = new Map<string, QueryTerm>();
  const add = (term: string, field: QueryTerm['field'], surface: string, prefix = false) => {
    if (term !== '' && !terms.has(term)) terms.set(term, { term, field, surface, prefix });
  };
  for (const word of onlyStopWords ? words : content) {
    add(word.term, 'word', looked.slice(word.start, word.end), isCjkCharacter(word.term));
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
    words: words.map((word) => word.term),
    identifiers: [...identifiers],
    phrases: queryPhrases(looked, analyzer),
    dropped: terms.size - kept.length,
    onlyStopWords,
    condition: null,
  };
}

/** In a text without small letters a word in capitals is no acronym: its small form decides. */
function quietStopWords(words: readonly AnalyzedWord[], analyzer: Analyzer): Set<string> {
  const found = new Set<string>();
  for (const term of new Set(words.map((word) => word.term))) {
    analyzer.visit(term, (token) => {
      if (token.words.some((word) => word.stopWord)) found.add(term);
    });
  }
  return found;
}

/** Over the cap, terms that match nothing go first, then the most common. The order of the query stays. */
function keepRarest(terms: QueryTerm[], cap: number, frequency: DocumentFrequency | undefined): QueryTerm[] {
  if (terms.length <= cap) return terms;
  if (!frequency) return terms.slice(0, cap);
  const counts = frequency(terms);
  const known = terms.map((_, i) => i).filter((i) => counts[i] !== 0);
  known.sort((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0) || a - b);
  const kept = new Set(known.slice(0, cap));
  for (let i = 0; i < terms.length && kept.size < cap; i++) kept.add(i);
  return terms.filter((_, i) => kept.has(i));
}
