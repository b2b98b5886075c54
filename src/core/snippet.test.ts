import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAnalyzer } from './analysis/analyzer.js';
import { defaults } from './defaults.js';
import { parseQuery } from './query/parse-query.js';
import { makeSnippet } from './snippet.js';

const analyzer = createAnalyzer();
const snippet = (text: string, query: string, o: { maxChars?: number; scanChars?: number } = {}) =>
  makeSnippet(text, parseQuery(query, analyzer).terms, analyzer, o);
const marked = (text: string, query: string, o: { maxChars?: number; scanChars?: number } = {}) => {
  const made = snippet(text, query, o);
  return made.highlights.map(([start, end]) => made.text.slice(start, end));
};
const filler = (words: number) => Array.from({ length: words }, (_, i) => `pad${i}`).join(' ');

describe('highlights', () => {
  it.each([
    ['stems', 'responses are cached', 'caching', ['cached']],
    ['accents', 'une Crème brûlée', 'brulee', ['brûlée']],
    ['decomposed accents', 'une crème brûlée'.normalize('NFD'), 'brûlée', ['brûlée'.normalize('NFD')]],
    ['pairs of CJK characters as one stretch', '下周三更新灌溉系统的阀门', '灌溉系统', ['灌溉系统']],
    ['a lone CJK character', '昨日は新しい窯の温度を測った', '窯', ['窯']],
    ['Latin letters within CJK', '重启pump后压力正常', 'pump', ['pump']],
    ['parts of names', 'call flush_tile_cache() first', 'tile', ['tile']],
    ['names with signs', 'written in C++, mostly', 'C++', ['C++']],
    ['several words', 'the kiln is a hot kiln', 'hot kilns', ['kiln', 'hot', 'kiln']],
    ['nothing where nothing matches', 'the kiln is hot', 'furnace', []],
  ])('show %s', (_, text, query, expected) => {
    expect(marked(text, query)).toEqual(expected);
  });

  it('do not show words that only share letters with the query', () => {
    expect(marked('kilning and kilometres', 'kilo')).toEqual([]);
  });
});

describe('the passage', () => {
  it('is the whole text when it is short, on one line', () => {
    expect(snippet('  one\n\n\ttwo  ', 'two')).toEqual({ text: 'one two', highlights: [[4, 7]] });
  });

  it('is where most of the distinct terms stand, not where one is repeated', () => {
    const text = `kiln kiln kiln kiln ${filler(200)} the kiln needs grease ${filler(200)}`;
    expect(marked(text, 'grease kiln')).toEqual(['kiln', 'grease']);
  });

  it('is the earliest of equals', () => {
    const text = `${filler(100)} kiln one ${filler(100)} kiln two ${filler(100)}`;
    expect(snippet(text, 'kiln').text).toContain('kiln one');
  });

  it('is cut between words, with an ellipsis where it was cut', () => {
    const text = `${filler(100)} kiln ${filler(100)}`;
    const made = snippet(text, 'kiln');
    expect(made.text).toMatch(/^…pad\d+ .* pad\d+…$/);
    const inner = made.text.slice(1, -1);
    expect(` ${text} `).toContain(` ${inner} `);
  });

  it('has no ellipsis where the text begins or ends', () => {
    expect(snippet(`kiln ${filler(100)}`, 'kiln').text).toMatch(/^kiln .*…$/);
    expect(snippet(`${filler(100)} kiln`, 'kiln').text).toMatch(/^….* kiln$/);
  });

  it('is the beginning when nothing matches', () => {
    expect(snippet(`start ${filler(100)}`, 'furnace').text).toMatch(/^start pad0/);
  });

  it('is looked for in the first characters only', () => {
    const text = `${filler(100)} kiln`;
    expect(marked(text, 'kiln', { scanChars: 50 })).toEqual([]);
    const long = `${'pad '.repeat(5_000_000)}kiln`;
    const started = performance.now();
    expect(marked(long, 'kiln')).toEqual([]);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('holds markup as text, to be escaped by who shows it', () => {
    expect(snippet('kiln <script>x</script>', 'kiln').text).toBe('kiln <script>x</script>');
  });
});

describe('any text', () => {
  const unit = fc.constantFrom(
    'kiln',
    'a',
    ' ',
    '\n',
    '🚀',
    '温度',
    'é',
    'e\u0301',
    '.',
    '_',
    '\u0000',
    '👨‍👩‍👧',
  );

  it('keeps to the length, splits no surrogate pair, and has highlights ascending and apart', () => {
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 200 }), fc.integer({ min: 1, max: 120 }), (units, maxChars) => {
        const made = snippet(units.join(''), 'kiln 🚀 温度 é', { maxChars });
        expect(made.text.isWellFormed()).toBe(true);
        expect(made.text.length).toBeLessThanOrEqual(maxChars + 2);
        let before = -1;
        for (const [start, end] of made.highlights) {
          expect(start).toBeGreaterThan(before);
          expect(end).toBeGreaterThan(start);
          expect(made.text.slice(start, end).isWellFormed()).toBe(true);
          before = end;
        }
        expect(before).toBeLessThanOrEqual(made.text.length);
      }),
      { numRuns: 500 },
    );
  });

  it('shows a match when the scanned text holds one and there is room for it', () => {
    fc.assert(
      fc.property(fc.nat(2000), fc.nat(2000), (lead, tail) => {
        const text = `${'x '.repeat(lead)}kiln${' y'.repeat(tail)}`;
        expect(marked(text, 'kiln')).toEqual(['kiln']);
        expect(snippet(text, 'kiln').text.length).toBeLessThanOrEqual(defaults.snippet.maxChars + 2);
      }),
      { numRuns: 100 },
    );
  });
});
