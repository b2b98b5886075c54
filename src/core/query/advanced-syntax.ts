import type { QueryField } from '../../contracts/index.js';
import { CorvidError } from '../../errors.js';

/** A query of the advanced syntax as a tree. `at` is where its text begins, counted from 0. */
export type SyntaxNode =
  | { type: 'words'; text: string; quoted: boolean; prefix: boolean; field: QueryField | null; at: number }
  | { type: 'and' | 'or'; parts: SyntaxNode[]; at: number }
  | { type: 'not'; part: SyntaxNode; at: number };

const FIELDS: readonly QueryField[] = ['title', 'body', 'header'];
const QUOTES = '"“”„«»';
/** Deeper nesting is no question of anybody's. */
const MAX_DEPTH = 20;
const MAX_LEAVES = 64;

interface Lexeme {
  type: 'open' | 'close' | 'and' | 'or' | 'not' | 'words';
  at: number;
  words?: Extract<SyntaxNode, { type: 'words' }>;
}

/**
 * Reads the advanced syntax: words side by side (or `AND`) must all occur, `OR` one of them, `-word` or `NOT word` must
 * not; `"a phrase"`, `begin*`, `title:word`, and brackets. NOT binds before AND, AND before OR.
 *
 * @throws CorvidError `invalid-query`, which names the character (counted from 1).
 */
export function parseAdvanced(text: string): SyntaxNode {
  const lexemes = scan(text);
  let next = 0;
  const end = text.length;

  function either(depth: number): SyntaxNode {
    const parts = [both(depth)];
    while (lexemes[next]?.type === 'or') {
      next++;
      parts.push(both(depth));
    }
    return parts.length === 1 ? parts[0]! : { type: 'or', parts, at: parts[0]!.at };
  }

  function both(depth: number): SyntaxNode {
    const parts = [one(depth)];
    for (;;) {
      const type = lexemes[next]?.type;
      if (type === 'and') next++;
      else if (type !== 'open' && type !== 'not' && type !== 'words') break;
      parts.push(one(depth));
    }
    return parts.length === 1 ? parts[0]! : { type: 'and', parts, at: parts[0]!.at };
  }

  function one(depth: number): SyntaxNode {
    const lexeme = lexemes[next];
    if (!lexeme) throw wrong(text, end, 'a word is missing at the end');
    if (depth > MAX_DEPTH) throw wrong(text, lexeme.at, `brackets are nested more than ${MAX_DEPTH} deep`);
    next++;
    switch (lexeme.type) {
      case 'words':
        return lexeme.words!;
      case 'not':
        return { type: 'not', part: one(depth + 1), at: lexeme.at };
      case 'open': {
        const inner = either(depth + 1);
        if (lexemes[next]?.type !== 'close') throw wrong(text, lexeme.at, 'this bracket is not closed');
        next++;
        return inner;
      }
      case 'close':
        throw wrong(text, lexeme.at, 'this bracket closes nothing');
      default:
        throw wrong(text, lexeme.at, `${lexeme.type.toUpperCase()} needs a word before it`);
    }
  }

  if (lexemes.length === 0) throw wrong(text, 0, 'nothing is asked for');
  const tree = either(0);
  const rest = lexemes[next];
  if (rest) throw wrong(text, rest.at, 'this bracket closes nothing');
  if (!asksForSomething(tree)) throw wrong(text, tree.at, 'everything is excluded and nothing asked for');
  return tree;
}

/** The error of a query at a place in its text. */
export function wrong(text: string, at: number, what: string): CorvidError {
  const from = Math.max(0, at - 20);
  const around = `${from > 0 ? '…' : ''}${text.slice(from, at)}▸${text.slice(at, at + 20)}${at + 20 < text.length ? '…' : ''}`;
  return new CorvidError(
    'invalid-query',
    `The query cannot be read at character ${at + 1}: ${what} (${around}).`,
    {
      hint: 'Mend it there, put double quotes around text that is meant literally, or leave syntax out: then nothing in the text is an operator.',
    },
  );
}

function scan(text: string): Lexeme[] {
  const lexemes: Lexeme[] = [];
  let leaves = 0;
  let at = 0;
  while (at < text.length) {
    const character = text[at]!;
    if (/\s/u.test(character)) {
      at++;
    } else if (character === '(' || character === ')') {
      lexemes.push({ type: character === '(' ? 'open' : 'close', at });
      at++;
    } else if (character === '-' && /\S/u.test(text[at + 1] ?? ' ')) {
      lexemes.push({ type: 'not', at });
      at++;
    } else {
      const word = scanWords(text, at);
      const operator =
        word.node.quoted || word.node.field || word.node.prefix ? null : operatorOf(word.node.text);
      lexemes.push(operator ? { type: operator, at } : { type: 'words', at, words: word.node });
      if (!operator && ++leaves > MAX_LEAVES)
        throw wrong(text, at, `there are more than ${MAX_LEAVES} words`);
      at = word.end;
    }
  }
  return lexemes;
}

function operatorOf(word: string): 'and' | 'or' | 'not' | null {
  if (word === 'AND') return 'and';
  if (word === 'OR') return 'or';
  return word === 'NOT' ? 'not' : null;
}

/** A word, a phrase, or either with its field. */
function scanWords(
  text: string,
  start: number,
): { node: Extract<SyntaxNode, { type: 'words' }>; end: number } {
  let at = start;
  let field: QueryField | null = null;
  // `http://…`, `std::vector` and `12:30` are words.
  const named = /^([a-z]+):(?![:/])/iu.exec(text.slice(start, start + 40));
  if (named) {
    field = FIELDS.find((name) => name === named[1]!.toLowerCase()) ?? null;
    if (!field) throw wrong(text, start, `there is no field ${named[1]}; there are ${FIELDS.join(', ')}`);
    at += named[0].length;
    if (!/\S/u.test(text[at] ?? ' ') || /[()]/u.test(text[at]!)) {
      throw wrong(text, at, `${field}: needs a word or a phrase right after it`);
    }
  }
  if (QUOTES.includes(text[at]!)) {
    const close = [...text.slice(at + 1)].findIndex((character) => QUOTES.includes(character));
    if (close < 0) throw wrong(text, at, 'this quote is not closed');
    const inner = [...text.slice(at + 1)].slice(0, close).join('');
    const end = at + 1 + inner.length + 1;
    return { node: { type: 'words', text: inner, quoted: true, prefix: false, field, at: start }, end };
  }
  let end = at;
  while (end < text.length && !/[\s()]/u.test(text[end]!) && !QUOTES.includes(text[end]!)) end++;
  const word = text.slice(at, end);
  const prefix = word.length > 1 && word.endsWith('*');
  if (word === '*') throw wrong(text, at, 'a star needs the beginning of a word before it');
  return {
    node: { type: 'words', text: prefix ? word.slice(0, -1) : word, quoted: false, prefix, field, at: start },
    end,
  };
}

/** Whether some word is asked for, and not only excluded, in every way to fulfil the query. */
function asksForSomething(node: SyntaxNode): boolean {
  if (node.type === 'words') return true;
  if (node.type === 'not') return false;
  return node.type === 'and' ? node.parts.some(asksForSomething) : node.parts.every(asksForSomething);
}
