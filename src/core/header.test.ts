import { describe, expect, it } from 'vitest';
import { type HeaderInput, makeHeader } from './header.js';

const nothing: HeaderInput = {
  kind: 'document',
  uri: null,
  speaker: null,
  author: null,
  keywords: [],
  date: null,
  occurredAt: null,
  tags: [],
  headingPath: [],
};
const time = Date.UTC(2031, 6, 19, 12);

describe('the header of a chunk', () => {
  it('of a message names the speaker, the date as given, as ISO, and the month', () => {
    const header = makeHeader(
      { ...nothing, kind: 'message', speaker: 'Ann', date: '19 July', occurredAt: time },
      'lexical',
    );
    expect(header).toEqual(['Ann', '19 July', '2031-07-19 July']);
  });

  it('of a document names author, keywords, tags, headings and path, and not the date of its file', () => {
    const document = {
      ...nothing,
      author: 'Bo',
      keywords: ['k1', 'k2'],
      tags: ['t'],
      headingPath: ['A', 'B'],
      uri: 'x/y.md',
      occurredAt: time,
    };
    expect(makeHeader(document, 'lexical')).toEqual(['Bo', 'k1, k2', 't', 'A > B', 'x/y.md']);
    expect(makeHeader(document, 'embedding')).toEqual(['Bo', 'k1, k2', 't', 'A > B']);
  });

  it('of an item that says nothing of itself is empty', () => {
    expect(makeHeader(nothing, 'lexical')).toEqual([]);
  });
});
