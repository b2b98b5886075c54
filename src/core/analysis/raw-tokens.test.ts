import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RawTokenScanner } from './raw-tokens.js';

/** What the scanner does by table, said as a pattern. */
const TOKEN =
  /[\p{L}\p{M}\p{N}_.\-/\\@:#+'’]+|\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic}|\ufe0f|[\u{1f3fb}-\u{1f3ff}])*/gu;

function scanned(text: string): string[] {
  const found: string[] = [];
  new RawTokenScanner().scan(text, (start, end, keyEnd) => {
    expect(text.slice(start, end).startsWith(text.slice(start, keyEnd))).toBe(true);
    expect(text.slice(keyEnd, end)).toMatch(/^[.\-/\\@:'’]*$/);
    found.push(text.slice(start, end));
  });
  return found;
}

it('the scanner finds the tokens that the pattern describes', () => {
  const unit = fc.constantFrom(
    ...[
      'a',
      'É',
      'e\u0301',
      '9',
      '温',
      'ไ',
      '𠀀',
      '𝒜',
      '_',
      '-',
      '.',
      '+',
      '’',
      ' ',
      '\n',
      '(',
      '"',
      '\u0000',
    ],
    ...['🚀', '👍🏽', '\u200d', '\ufe0f', '\u{1f3fb}', '©', 'ℹ', '\ud800', '\udc00', '\u{e000}'],
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.array(unit, { maxLength: 60 }).map((list) => list.join('')),
  );
  fc.assert(
    fc.property(text, (given) => {
      expect(scanned(given)).toEqual(given.match(TOKEN) ?? []);
    }),
    { numRuns: 1000 },
  );
});

it('equal tokens have equal hashes wherever they stand, with signs behind them or without', () => {
  const hashes: number[] = [];
  new RawTokenScanner().scan('kiln, the kiln. (kiln)', (start, _, keyEnd, hash) => {
    if (keyEnd - start === 4) hashes.push(hash);
  });
  expect(hashes).toHaveLength(3);
  expect(new Set(hashes).size).toBe(1);
});
