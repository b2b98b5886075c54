import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CorvidError } from '../../errors.js';
import { parseAdvanced, type SyntaxNode } from './advanced-syntax.js';

/** The tree as one line: `kiln AND (NOT "wet clay")`. */
function show(node: SyntaxNode): string {
  if (node.type === 'words') {
    const text = node.quoted ? `"${node.text}"` : `${node.text}${node.prefix ? '*' : ''}`;
    return node.field ? `${node.field}:${text}` : text;
  }
  if (node.type === 'not') return `(NOT ${show(node.part)})`;
  return `(${node.parts.map(show).join(node.type === 'and' ? ' AND ' : ' OR ')})`;
}

describe('the advanced syntax', () => {
  it.each([
    ['kiln', 'kiln'],
    ['kiln glaze', '(kiln AND glaze)'],
    ['kiln AND glaze', '(kiln AND glaze)'],
    ['kiln OR oven glaze', '(kiln OR (oven AND glaze))'],
    ['(kiln OR oven) glaze', '((kiln OR oven) AND glaze)'],
    ['kiln -cold', '(kiln AND (NOT cold))'],
    ['kiln NOT cold', '(kiln AND (NOT cold))'],
    ['kiln -(cold OR wet)', '(kiln AND (NOT (cold OR wet)))'],
    ['"wet clay" kil*', '("wet clay" AND kil*)'],
    ['title:kiln Body:"wet clay"', '(title:kiln AND body:"wet clay")'],
    ['title:gla*', 'title:gla*'],
    ['well-known', 'well-known'],
    ['and or not', '(and AND or AND not)'],
    ['http://a.example/x std::vector 12:30', '(http://a.example/x AND std::vector AND 12:30)'],
    ['„nasser Ton“', '"nasser Ton"'],
    ['kiln "the wheel"glaze', '(kiln AND "the wheel" AND glaze)'],
    ['"𝒳 axis" y', '("𝒳 axis" AND y)'],
  ])('reads %s', (text, expected) => {
    expect(show(parseAdvanced(text))).toBe(expected);
  });

  it.each([
    ['', 1, 'nothing is asked for'],
    ['kiln AND', 9, 'a word is missing at the end'],
    ['OR kiln', 1, 'OR needs a word before it'],
    ['kiln OR AND x', 9, 'AND needs a word before it'],
    ['(kiln glaze', 1, 'this bracket is not closed'],
    ['kiln) glaze', 5, 'this bracket closes nothing'],
    ['()', 2, 'this bracket closes nothing'],
    ['kiln "wet clay', 6, 'this quote is not closed'],
    ['kiln colour:red', 6, 'there is no field colour'],
    ['title: kiln', 7, 'title: needs a word'],
    ['-kiln', 1, 'everything is excluded'],
    ['kiln OR -glaze', 1, 'everything is excluded'],
    ['*', 1, 'a star needs the beginning of a word'],
    [`${'('.repeat(30)}a${')'.repeat(30)}`, 22, 'nested more than 20 deep'],
    ['a '.repeat(65), 129, 'more than 64 words'],
  ])('points at the character that is wrong in %s', (text, character, what) => {
    const call = () => parseAdvanced(text);
    expect(call).toThrow(CorvidError);
    expect(call).toThrow(new RegExp(`at character ${character}: .*${what}`));
  });

  it('reads every text or refuses it with its own error', () => {
    const piece = fc.constantFrom(
      'a',
      '"',
      '(',
      ')',
      '-',
      '*',
      ':',
      'title:',
      ' ',
      'OR',
      'AND',
      'NOT',
      '😀',
      '京',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        try {
          parseAdvanced(pieces.join(''));
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid-query' });
        }
      }),
    );
  });
});
