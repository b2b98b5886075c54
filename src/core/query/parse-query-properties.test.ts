import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAnalyzer } from '../analysis/analyzer.js';
import { defaults } from '../defaults.js';
import { parseQuery } from './parse-query.js';

const analyzer = createAnalyzer();
const parse = (text: string) => parseQuery(text, analyzer);

describe('any text', () => {
  it('gives terms that may stand between double quotes, each once, at most so many', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.string({
        unit: fc.constantFrom(...'aBé温た한ไ9_-./\\@:#+\'"’“”«» \n\u0000\u200b\u0301\ud800🚀'.split('')),
      }),
    );
    fc.assert(
      fc.property(text, (given) => {
        const query = parse(given);
        const terms = query.terms.map((term) => term.term);
        expect(new Set(terms).size).toBe(terms.length);
        expect(terms.length).toBeLessThanOrEqual(defaults.query.maxTerms);
        for (const term of [...terms, ...query.identifiers, ...query.phrases.flat()]) {
          expect(term).toMatch(/^[^\s"\u0000-\u001f\u007f]{1,64}$/);
        }
        for (const { surface } of query.terms) expect(given).toContain(surface);
      }),
      { numRuns: 500 },
    );
  });

  it('finds the text it is: the index holds each of its terms', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (given) => {
        const { words: w, exact: e } = analyzer.index(given);
        const held = `${w} ${e}`.split(' ');
        for (const { term, prefix } of parse(given).terms) {
          if (prefix) expect(held.some((other) => other.startsWith(term))).toBe(true);
          else expect(held).toContain(term);
        }
      }),
      { numRuns: 500 },
    );
  });
});
