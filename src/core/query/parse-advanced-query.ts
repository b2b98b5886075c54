import type { Analyzer, ParsedQuery, QueryCondition, QueryTerm } from '../../contracts/index.js';
import { foldMarks } from '../analysis/fold.js';
import { parseAdvanced, type SyntaxNode, wrong } from './advanced-syntax.js';
import { isCjkCharacter, queryWords } from './query-words.js';

type Words = Extract<SyntaxNode, { type: 'words' }>;

/**
 * A query of the advanced syntax: a condition that every hit fulfils, and the terms that hits are ranked by, which are
 * those that are asked for and not excluded. The condition is about an item as a whole, whichever of its passages holds
 * a word.
 *
 * @throws CorvidError `invalid-query`, which names the character.
 */
export function parseAdvancedQuery(text: string, analyzer: Analyzer): ParsedQuery {
  const terms = new Map<string, QueryTerm>();
  const identifiers = new Set<string>();
  const phrases: string[][] = [];
  const asked: string[] = [];

  function leaf(node: Words, excluded: boolean): QueryCondition {
    const condition = node.prefix ? prefixOf(node) : wordsOf(node);
    if (!excluded) {
      asked.push(node.text);
      collect(node, condition);
    }
    return condition;
  }

  function prefixOf(node: Words): QueryCondition {
    const begin = foldMarks(node.text.normalize('NFKC').toLowerCase());
    const words = analyzer.scan(begin).flatMap((token) => [...token.words]);
    if (words.length !== 1) throw wrong(text, node.at, 'a star may end one word, not several');
    return { type: 'terms', terms: [begin], prefix: true, field: node.field, exact: false };
  }

  function wordsOf(node: Words): QueryCondition {
    const tokens = analyzer.scan(node.text);
    const whole = tokens.length === 1 && tokens[0]!.identifier ? tokens[0]!.wholes[0] : undefined;
    if (whole !== undefined && node.field === null) {
      return { type: 'terms', terms: [whole], prefix: false, field: null, exact: true };
    }
    const stems = tokens.flatMap(queryWords).map((word) => word.term);
    if (stems.length === 0) throw wrong(text, node.at, 'nothing here can be searched for');
    const prefix = stems.length === 1 && isCjkCharacter(stems[0]!);
    return { type: 'terms', terms: stems, prefix, field: node.field, exact: false };
  }

  function collect(node: Words, condition: QueryCondition): void {
    if (condition.type !== 'terms') return;
    const add = (term: string, field: QueryTerm['field'], prefix: boolean) => {
      if (!terms.has(term)) terms.set(term, { term, field, prefix, surface: node.text });
    };
    if (condition.exact) {
      identifiers.add(condition.terms[0]!);
      for (const token of analyzer.scan(node.text)) {
        for (const word of queryWords(token)) add(word.term, 'word', false);
      }
    } else if (condition.terms.length > 1) phrases.push([...condition.terms]);
    for (const term of condition.terms) add(term, condition.exact ? 'exact' : 'word', condition.prefix);
  }

  function visit(node: SyntaxNode, excluded: boolean): QueryCondition {
    if (node.type === 'words') return leaf(node, excluded);
    if (node.type === 'not') return { type: 'not', part: visit(node.part, !excluded) };
    return { type: node.type, parts: node.parts.map((part) => visit(part, excluded)) };
  }

  const condition = visit(parseAdvanced(text), false);
  return {
    text: asked.join(' '),
    terms: [...terms.values()],
    words: [...terms.values()].filter(({ field }) => field === 'word').map(({ term }) => term),
    identifiers: [...identifiers],
    phrases,
    dropped: 0,
    onlyStopWords: false,
    condition,
  };
}
