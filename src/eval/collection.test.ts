import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CorvidError } from '../errors.js';
import { loadCollection } from './collection.js';
import { birds, collectionFolder, tempFolder } from './test-support/collection-folder.js';

function failure(act: () => unknown): CorvidError {
  try {
    act();
  } catch (error) {
    if (error instanceof CorvidError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown');
}

/** The error of a collection in which one file has one more line. */
function failureWith(file: string, line: string): CorvidError {
  const dir = collectionFolder();
  appendFileSync(join(dir, file), `${line}\n`);
  return failure(() => loadCollection(dir));
}

describe('loadCollection', () => {
  it('reads documents, queries and judgments above 0', () => {
    const { documents, queries, judgments } = loadCollection(collectionFolder());
    expect(documents.map(({ id, title }) => [id, title])).toEqual([
      ['d1', 'Herons'],
      ['d2', 'Jays'],
      ['d3', null],
      ['d4', null],
    ]);
    expect(queries.map(({ id, category }) => [id, category])).toEqual([
      ['q1', 'habit'],
      ['q2', 'place'],
      ['q3', 'habit'],
      ['q4', null],
    ]);
    expect([...judgments]).toEqual([
      ['q1', new Map([['d1', 2]])],
      ['q2', new Map([['d3', 1]])],
      ['q3', new Map([['d2', 1]])],
    ]);
  });

  it('takes the header from speaker, date, author and keywords, and nothing else from meta', () => {
    const meta = {
      scope: 'talk-1',
      session: 4,
      doc: 'the-whole-book',
      speaker: 'Ana',
      date: '3 pm on 4 May, 2031',
      author: '  ',
      keywords: ['rope', ' ', 'knot '],
    };
    const dir = collectionFolder({ corpus: [{ id: 'd1', text: 'x', meta }, ...birds.corpus.slice(1)] });
    const { documents } = loadCollection(dir);
    expect(documents[0]).toEqual({
      id: 'd1',
      title: null,
      text: 'x',
      scope: 'talk-1',
      header: { speaker: 'Ana', date: '3 pm on 4 May, 2031', keywords: ['rope', 'knot'] },
    });
    expect(documents[3]?.header).toEqual({ author: 'Ilse Brandt', keywords: ['corvids', 'games', 'snow'] });
  });

  it('keeps of a query its text, scope and category', () => {
    const query = { id: 'q1', text: 'Who?', meta: { scope: 'talk-1', category: 'people', answer: 'Ana' } };
    const { queries } = loadCollection(collectionFolder({ queries: [query] }));
    expect(queries).toEqual([{ id: 'q1', text: 'Who?', scope: 'talk-1', category: 'people' }]);
  });

  it('reads files with a byte order mark, CRLF line ends and blank lines', () => {
    const dir = collectionFolder();
    writeFileSync(
      join(dir, 'queries.jsonl'),
      '\uFEFF{"id":"q1","text":"Who?"}\r\n\r\n{"id":"q2","text":"Where?"}\r\n',
    );
    writeFileSync(join(dir, 'qrels.tsv'), 'query\tdocument\trelevance\r\nq1\td1\t2\r\n');
    const { queries, judgments } = loadCollection(dir);
    expect(queries.map(({ id }) => id)).toEqual(['q1', 'q2']);
    expect(judgments.get('q1')).toEqual(new Map([['d1', 2]]));
  });

  it('passes over judgments of queries that are not there', () => {
    const dir = collectionFolder({ qrels: ['q1\td1\t1', 'elsewhere\td1\t1'] });
    expect(loadCollection(dir).judgments.has('q1')).toBe(true);
  });

  it('says that a folder does not exist', () => {
    const error = failure(() => loadCollection(join(tempFolder(), 'nowhere')));
    expect(error.code).toBe('no-such-file');
    expect(error.message).toContain('nowhere');
  });

  it('names the file that is missing and says what a collection is', () => {
    const error = failure(() => loadCollection(tempFolder()));
    expect(error.code).toBe('bad-collection');
    expect(error.message).toMatch(/corpus\.jsonl does not exist/);
    expect(error.hint).toContain('queries.jsonl');
  });

  it('refuses a file in place of a folder', () => {
    const error = failure(() => loadCollection(join(collectionFolder(), 'qrels.tsv')));
    expect(error.code).toBe('bad-collection');
    expect(error.message).toContain('not a folder');
  });

  it.each([
    ['corpus.jsonl', '{"id":"d5",', /corpus\.jsonl line 5 is not JSON/],
    ['corpus.jsonl', '["d5"]', /corpus\.jsonl line 5 holds no JSON object/],
    ['corpus.jsonl', '{"text":"no id"}', /corpus\.jsonl line 5 has no id/],
    ['corpus.jsonl', '{"id":5,"text":"x"}', /line 5 has an id that is no text: 5/],
    ['corpus.jsonl', '{"id":"d2","text":"again"}', /line 5 repeats the id "d2" of line 2/],
    ['corpus.jsonl', '{"id":"d5","text":["x"]}', /line 5 has a text that is no text: \["x"\]/],
    ['corpus.jsonl', '{"id":"d5","text":"x","meta":"y"}', /line 5 has a meta that is no object: "y"/],
    ['corpus.jsonl', '{"id":"d5","text":"x","meta":{"author":["A"]}}', /line 5 has a meta\.author/],
    ['corpus.jsonl', '{"id":"d5","text":"x","meta":{"keywords":[1]}}', /line 5 has meta\.keywords/],
    ['queries.jsonl', '{"id":"q1","text":"again"}', /queries\.jsonl line 5 repeats the id "q1" of line 1/],
    ['queries.jsonl', '{"id":"q5"}', /queries\.jsonl line 5 has no text/],
    ['qrels.tsv', 'q1 d2 1', /qrels\.tsv line 6 has not three columns/],
    ['qrels.tsv', 'q1\td2\tyes', /qrels\.tsv line 6 has a relevance that is no number: "yes"/],
    ['qrels.tsv', 'q1\td2\t', /qrels\.tsv line 6 has a relevance that is no number: ""/],
    ['qrels.tsv', 'q1\td1\t1', /line 6 judges document "d1" for query "q1" as 1, an earlier line as 2/],
  ])('names file and line and a remedy: %s with %s', (file, line, message) => {
    const error = failureWith(file, line);
    expect(error.code).toBe('bad-collection');
    expect(error.message).toMatch(message);
    expect(error.hint).not.toBe('');
  });

  it('refuses a qrels.tsv without header, whose first judgment would be lost', () => {
    const dir = collectionFolder();
    writeFileSync(join(dir, 'qrels.tsv'), 'q1\td1\t1\n');
    expect(failure(() => loadCollection(dir)).message).toMatch(/qrels\.tsv line 1 is no header/);
  });

  it('refuses a collection in which no query is judged above 0', () => {
    const dir = collectionFolder({ qrels: ['q1\td1\t0', 'other\td1\t1'] });
    expect(failure(() => loadCollection(dir)).message).toMatch(/judges no query/);
  });
});
