import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAnalyzer } from './analyzer.js';
import { normalForm } from './fold.js';

const analyzer = createAnalyzer();
const words = (text: string) => analyzer.index(text).words;
const exact = (text: string) => analyzer.index(text).exact;

describe('words', () => {
  it.each([
    ['stems of English', 'responses are cached', 'respons ar cach'],
    ['possessives without their s', "the potter's wheel, James’s kiln", 'the potter wheel jame kiln'],
    ['contractions as one word', "don't won’t", 'dont wont'],
    ['elisions as two words', "l'eau d’or", 'l eau d or'],
    ['folded accents', 'Crème brûlée', 'creme brule'],
    ['letters that do not decompose', 'Straße Łódź Øre', 'strass lodz or'],
    ['compatibility forms', 'ＡＢＣ９ ﬁle', 'abc9 file'],
    ['parenthesised and squared digits', '⑴ ²', '1 2'],
    ['Greek without accents, final sigma as any', 'λόγος', 'λογοσ'],
    ['Arabic without vowel signs', 'مُحَمَّدٌ', 'محمد'],
    ['Arabic ligatures that decompose to a blank and marks', 'ab\ufc5ecd', 'abcd'],
    ['Hebrew without points', 'שָׁלוֹם', 'שלום'],
    ['Hindi with its vowel signs', 'पंप खरीदा', 'पंप खरीदा'],
    ['acronyms unstemmed', 'DNS US GPUs', 'dns us gpu'],
    ['mixed case unstemmed', 'iOS eBay', 'ios ebay'],
    ['dates in parts', '2031-07-19', '2031 07 19'],
    ['hashtags and mentions', '#kilns @lea', 'kiln lea'],
    ['versions in parts', 'v1.2.3', 'v1 2 3'],
    ['paths in parts', '/srv/kiln/log_file.txt', 'srv kiln log file txt'],
    ['addresses in parts', 'lea@orchard.example', 'lea orchard exampl'],
    ['camelCase in parts', 'flushTileCache HTTPServer', 'flush tile cach http server'],
    ['snake, kebab and dotted names in parts', 'a_tile b-tile c.tile', 'a tile b tile c tile'],
    ['names with symbols', 'C++ C# .NET', 'c c net'],
    ['CJK as pairs and the last character', '窯の温度', '窯の の温 温度 度'],
    ['CJK with Latin inside', '重启pump-x7', '重启 启 pump x7'],
    ['Hangul', '습도', '습도 도'],
    ['Thai by a dictionary', 'ต้นไม้', 'ต้นไม้'],
    ['pictures without skin tone', 'go 👍🏽 🚀', 'go 👍 🚀'],
    ['joined pictures as one', '👨‍👩‍👧', '👨‍👩‍👧'],
    ['a letter that is also a picture as a letter', 'ℹ', 'i'],
    ['signs alone as nothing', '--- ... /// ++ ’', ''],
    ['a mark without a letter as nothing', '=\u0338 \u0301', ''],
    ['a struck-through picture as nothing', '↮ ↔\u0338', ''],
    ['NUL and lone surrogates as borders', 'a\u0000b\ud800c', 'a b c'],
  ])('%s', (_, text, expected) => {
    expect(words(text)).toBe(expected);
  });

  it('are parted in Thai where a word ends', () => {
    expect(words('รดน้ำต้นไม้').split(' ')).toContain('ต้นไม้');
  });
});

describe('exact forms', () => {
  it.each([
    ['inflected words', 'cached kiln', 'cached'],
    ['accented words', 'thé', 'thé'],
    ['spellings of one name alike', 'flush_tile_cache', 'cache flushtilecache'],
    ['versions without v', 'v1.2.3', '1.2.3'],
    ['symbols of names', 'C++ C# .NET', 'c++ c# .net'],
    ['error codes without their hyphen', 'PX-4471', 'px4471'],
    ['dates with their hyphens', '2031-07-19', '2031-07-19'],
    ['hashtags and mentions', '#kiln @lea', '#kiln @lea'],
    ['e-mail addresses', 'lea@orchard.com', 'lea@orchard.com orchard.com'],
    ['plain words never', 'the kiln is hot.', ''],
  ])('%s', (_, text, expected) => {
    expect(exact(text)).toBe(expected);
  });

  it('hold a path, its file and its compounds', () => {
    expect(exact('/srv/kiln/log_file.txt').split(' ')).toEqual(
      expect.arrayContaining(['srv/kiln/log_file.txt', 'log_file.txt', 'logfile']),
    );
    expect(exact('see https://kiln.example/a').split(' ')).toContain('https://kiln.example/a');
  });

  it('hold both camelCase and PascalCase in one form', () => {
    expect(exact('flushTileCache')).toBe('cache flushtilecache');
    expect(exact('FlushTileCache')).toBe('cache flushtilecache');
  });
});

describe('tokens', () => {
  it('say whether their whole form names something', () => {
    const identifiers = analyzer.scan('well-known px-4471 a_b C++ kiln').map((token) => token.identifier);
    expect(identifiers).toEqual([false, true, true, true, false]);
  });

  it('end before the signs behind them', () => {
    expect(analyzer.scan('a kiln. C++.').map(({ start, end }) => [start, end])).toEqual([
      [0, 1],
      [2, 6],
      [8, 11],
    ]);
  });

  it('mark function words, but not acronyms of their letters', () => {
    const marks = analyzer.scan("it IT isn't kiln").flatMap((token) => token.words.map((w) => w.stopWord));
    expect(marks).toEqual([true, false, true, false]);
  });

  it('have offsets into decomposed text', () => {
    const text = 'une brûléeTarte'.normalize('NFD');
    expect(analyzer.tokens(text).map(({ start, end }) => text.slice(start, end).normalize('NFC'))).toEqual([
      'une',
      'brûlée',
      'Tarte',
    ]);
  });

  it('are shared by visit with relative offsets, and given by scan with absolute ones', () => {
    const seen: string[] = [];
    const text = 'tile_cache and a kiln';
    analyzer.visit(text, (token, start) => {
      for (const word of token.words) seen.push(text.slice(start + word.start, start + word.end));
    });
    const scanned = analyzer
      .scan(text)
      .flatMap((token) => token.words.map((word) => text.slice(word.start, word.end)));
    expect(seen).toEqual(['tile', 'cache', 'and', 'a', 'kiln']);
    expect(scanned).toEqual(seen);
  });
});

const pieces = fc.constantFrom(
  ...[
    'a',
    'Be',
    'K',
    's',
    '9',
    'é',
    'e\u0301',
    'ß',
    'İ',
    'Σ',
    '温',
    'た',
    'か\u3099',
    '한',
    '\u1112\u1161\u11ab',
  ],
  ...['ไ', 'น้ำ', '\u1025\u102e', 'م', 'ُ', 'שָׁ', 'पं', '_', '-', '.', '/', '\\', '@', ':', '#', '+', "'", '’'],
  ...[
    ' ',
    '\n',
    '\u0000',
    '\u200b',
    '\u200d',
    '\ufe0f',
    '"',
    '=',
    '\u0338',
    '\ud800',
    '\udc00',
    '🚀',
    '👍🏽',
    'ℹ',
    '⑴',
  ],
);
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.array(pieces, { maxLength: 60 }).map((list) => list.join('')),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 }).map((u) => String.fromCharCode(...u)),
);

describe('any text', () => {
  it('gives well-formed terms, tokens within the text and ascending, each of them in the index', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const held = new Set(words(text).split(' '));
        for (const term of `${words(text)} ${exact(text)}`.split(' ')) {
          expect(term).toMatch(/^[^\s"\p{Cc}]{0,64}$/u);
          expect(term.length).toBeLessThanOrEqual(64);
        }
        let before = 0;
        for (const { term, start, end } of analyzer.tokens(text)) {
          expect(start).toBeGreaterThanOrEqual(before);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(held).toContain(term);
          before = start;
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('is indexed the same composed and decomposed', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(analyzer.index(text.normalize('NFD'))).toEqual(analyzer.index(text.normalize('NFC')));
      }),
      { numRuns: 1000 },
    );
  });

  it('is indexed the same by an analyzer that has seen other texts', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(analyzer.index(text)).toEqual(createAnalyzer().index(text));
      }),
      { numRuns: 30 },
    );
  });
});

it('no letter, mark or digit has a normal form that breaks a term', () => {
  const broken: string[] = [];
  for (let code = 0; code <= 0x323af; code++) {
    const character = String.fromCodePoint(code);
    if (/[\p{L}\p{M}\p{N}]/u.test(character) && /[\s"\p{Cc}()]/u.test(normalForm(character)))
      broken.push(code.toString(16));
  }
  expect(broken).toEqual([]);
});
