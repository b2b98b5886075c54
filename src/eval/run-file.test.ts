import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRun, writeRun } from './run-file.js';
import { tempFolder } from './test-support/collection-folder.js';

describe('run files', () => {
  it('are written as query, Q0, document, rank, score, tag, with scores that fall', () => {
    const path = join(tempFolder(), 'run.trec');
    writeRun(path, new Map([['q1', ['d2', 'd1']]]));
    expect(readFileSync(path, 'utf8')).toBe('q1 Q0 d2 1 1 corvid\nq1 Q0 d1 2 0.5 corvid\n');
  });

  it('are read as they were written', () => {
    const path = join(tempFolder(), 'run.trec');
    const run = new Map([
      ['q1', ['d2', 'd1', 'talk-1/D3:7']],
      ['q2', ['d9']],
    ]);
    writeRun(path, run);
    expect(readRun(path)).toEqual(run);
  });

  it('are read in the order of ranks, also with four columns', () => {
    const path = join(tempFolder(), 'run.tsv');
    writeFileSync(path, 'q1\ta document\t2\t.5\nq1\tb\t1\t.9\n');
    expect(readRun(path)).toEqual(new Map([['q1', ['b', 'a document']]]));
  });

  it.each([
    ['query', new Map([['q 1', ['d1']]])],
    ['document', new Map([['q1', ['d\t1']]])],
  ])('cannot hold a %s id with white space', (what, run) => {
    expect(() => writeRun(join(tempFolder(), 'run'), run)).toThrow(
      expect.objectContaining({
        code: 'bad-collection',
        message: expect.stringMatching(new RegExp(`The ${what} id .* holds white space`)),
        hint: expect.stringContaining('without white space'),
      }),
    );
  });

  it.each([
    ['q1 Q0 d1 1', /line 2 is no line of a run/],
    ['q1 Q0 d1 first .5 tag', /line 2 has a rank that is no number: "first"/],
    ['q1 Q0 d0 2 .5 tag', /line 2 repeats document "d0" for query "q1"/],
  ])('name the line that is wrong: %s', (line, message) => {
    const path = join(tempFolder(), 'run');
    writeFileSync(path, `q1 Q0 d0 1 .9 tag\n${line}\n`);
    expect(() => readRun(path)).toThrow(message);
  });
});
