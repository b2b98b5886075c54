import { describe, expect, it } from 'vitest';
import type { QueryTerm } from '../../contracts/index.js';
import { createAnalyzer } from '../analysis/analyzer.js';
import { defaults } from '../defaults.js';
import { parseQuery } from './parse-query.js';

const analyzer = createAnalyzer();
const parse = (text: string) => parseQuery(text, analyzer);
const words = (text: string) =>
  parse(text)
    .terms.filter((term) => term.field === 'word')
    .map((term) => (term.prefix ? `${term.term}*` : term.term));
const exact = (text: string) =>
  parse(text)
    .terms.filter((term) => term.field === 'exact')
    .map((term) => term.term);

describe('content words', () => {
  it('are stemmed, each once, in the order of the query', () => {
    expect(words('cached kilns, caching a kiln')).toEqual(['cach', 'kiln']);
  });

  it('leave out the function words of a question', () => {
    expect(words('how often do we rotate the keys for the greenhouse?')).toEqual([
      'often',
      'rotat',
      'kei',
      'greenhous',
    ]);
    expect(parse('how often do we rotate the keys?').onlyStopWords).toBe(false);
  });

  it('are the function words themselves when nothing else is left', () => {
    const query = parse('to be or not to be');
    expect(query.terms.map((term) => term.term)).toEqual(['to', 'be', 'or', 'not']);
    expect(query.onlyStopWords).toBe(true);
    expect(words('the who')).toEqual(['the', 'who']);
  });

  it('remember the word they came from', () => {
    expect(parse('Rotating keys').terms[0]).toEqual({
      term: 'rotat',
      field: 'word',
      surface: 'Rotating',
      prefix: false,
    });
  });

  it('take a function word in capitals for a name', () => {
    expect(words('does IT of the US answer to WHO')).toEqual(['it', 'us', 'answer', 'who']);
    expect(words('US GDP')).toEqual(['us', 'gdp']);
  });

  it('take no function word for a name where all the text is in capitals', () => {
    expect(words('HOW DO I RESET THE KILN')).toEqual(['reset', 'kiln']);
  });

  it('keep an accented word that is a function word without its accent', () => {
    expect(words('thé vert')).toContain('the');
    expect(exact('thé vert')).toEqual(['thé']);
    expect(parse('thé').onlyStopWords).toBe(false);
  });
});

describe('free text is data', () => {
  it.each(['', '   ', '\n', '!!!', '...', '""', '()', '—', '*', '\u0000', '\u200b', '\ud800'])(
    '%j has nothing to search for',
    (text) => {
      expect(parse(text)).toEqual({
        text,
        terms: [],
        identifiers: [],
        words: [],
        phrases: [],
        dropped: 0,
        onlyStopWords: false,
        condition: null,
      });
    },
  );

  it.each(['mangos NOT ripe', 'NEAR(mangos ripe)', '(mangos ripe', '^mangos -ripe', 'mangos* OR ripe'])(
    '%s asks for its words',
    (text) => {
      expect(words(text)).toEqual(expect.arrayContaining(['mango', 'ripe']));
    },
  );

  it.each(['title: weight', 'body:weight', 'exact: weight'])('%s is not a column', (text) => {
    expect(words(text)).toContain('weight');
  });
});

describe('names', () => {
  it.each([
    ['PX-4471', 'px4471'],
    ['2031-07-19', '2031-07-19'],
    ['22.04', '22.04'],
    ['v1.2.3', '1.2.3'],
    ['lea@orchard.example', 'lea@orchard.example'],
    ['/srv/kiln/log.txt', 'srv/kiln/log.txt'],
    ['C:\\kiln', 'c:\\kiln'],
    ['flush_tile_cache', 'flushtilecache'],
    ['flushTileCache', 'flushtilecache'],
    ['C++', 'c++'],
    ['C#', 'c#'],
    ['.NET', '.net'],
    ['node.js', 'node.js'],
  ])('%s is asked for as a whole, %s', (text, whole) => {
    const query = parse(`why did ${text} fail`);
    expect(query.identifiers).toContain(whole);
    expect(query.terms).toContainEqual(expect.objectContaining({ term: whole, field: 'exact' }));
  });

  it('are asked for by their parts too', () => {
    expect(words('flushTileCache')).toEqual(['flush', 'tile', 'cach']);
  });

  it('do not include plain words with a hyphen', () => {
    expect(parse('a well-known kiln').identifiers).toEqual([]);
  });
});

describe('scripts without spaces', () => {
  it('give pairs, and no character of their own for the end of a run', () => {
    expect(words('温度を測る')).toEqual(['温度', '度を', 'を測', '測る']);
    expect(words('습도')).toEqual(['습도']);
  });

  it('ask for a lone character as the beginning of a pair', () => {
    expect(words('窯')).toEqual(['窯*']);
    expect(words('窯 温度')).toEqual(['窯*', '温度']);
    expect(words('pump窯')).toEqual(['pump', '窯*']);
  });

  it('ask for the same in decomposed form', () => {
    for (const text of ['한', '한국', 'ガ', 'ガス', 'ガスの温度'])
      expect(words(text.normalize('NFD')), text).toEqual(words(text));
  });
});

describe('phrases', () => {
  it('are what stands between two quotes, as stems', () => {
    expect(parse('find "flushing the tiles" or “cold kilns” now').phrases).toEqual([
      ['flush', 'the', 'tile'],
      ['cold', 'kiln'],
    ]);
  });

  it('need two words and both quotes', () => {
    expect(parse('"kiln" and "cold kilns').phrases).toEqual([]);
    expect(parse('a 5" pipe').phrases).toEqual([]);
  });

  it('hold the pairs of CJK text as a longer text has them, without the character at the end', () => {
    expect(parse('"新しい窯"').phrases).toEqual([['新し', 'しい', 'い窯']]);
  });
});

describe('long queries', () => {
  const cap = defaults.query.maxTerms;

  it('keep the rarest terms that the store knows, in the order of the query', () => {
    const text = Array.from({ length: 200 }, (_, i) => `w${i}q`).join(' ');
    const known = new Map([
      ['w190q', 1],
      ['w150q', 2],
    ]);
    const frequency = (terms: readonly QueryTerm[]) => terms.map(({ term }) => known.get(term) ?? 0);
    const query = parseQuery(text, analyzer, frequency);
    expect(query.terms).toHaveLength(cap);
    expect(query.dropped).toBe(200 - cap);
    expect(query.terms.slice(-2).map((term) => term.term)).toEqual(['w150q', 'w190q']);
  });

  it('drop the most common first', () => {
    const text = Array.from({ length: cap + 1 }, (_, i) => `w${i}q`).join(' ');
    const frequency = (terms: readonly QueryTerm[]) => terms.map(({ term }) => (term === 'w3q' ? 9 : 5));
    const kept = parseQuery(text, analyzer, frequency).terms.map((term) => term.term);
    expect(kept).toHaveLength(cap);
    expect(kept).not.toContain('w3q');
  });

  it('are looked at up to the limit of characters', () => {
    const text = `${'kiln '.repeat(defaults.query.maxChars / 5)}furnace`;
    expect(words(text)).toEqual(['kiln']);
  });

  it.each([
    ['a word of a million letters', 'x'.repeat(1_000_000)],
    ['a million brackets', '('.repeat(1_000_000)],
    ['a million hyphens', '-'.repeat(1_000_000)],
    ['a million quotes', '"'.repeat(1_000_000)],
    ['a million humps', 'aB'.repeat(500_000)],
    ['a million vowel signs', '\u0301'.repeat(1_000_000)],
  ])('of %s are parsed without delay', (_, text) => {
    const started = performance.now();
    parse(text);
    // Ten times what a busy machine needs: a quadratic step would take minutes.
    expect(performance.now() - started).toBeLessThan(3000);
  });
});
