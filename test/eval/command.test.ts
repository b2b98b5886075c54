import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EvalFlags } from '../../src/eval/index.js';
import { type EvalReport, readPerQuery, readRun, runEval } from '../../src/eval/index.js';
import { birds, collectionFolder } from '../../src/eval/test-support/collection-folder.js';
import { tempFolder } from '../support/temp.js';

/** A collection in a folder of that name. */
function named(name: string, files: Parameters<typeof collectionFolder>[0] = {}): string {
  const dir = join(tempFolder(), name);
  mkdirSync(dir);
  return collectionFolder(files, dir);
}

async function run(
  dirs: string[],
  flags: EvalFlags = {},
): Promise<{ out: string; err: string; progress: string[] }> {
  const seen = { out: '', err: '', progress: [] as string[] };
  await runEval(dirs, flags, {
    stdout: (text) => {
      seen.out += text;
    },
    stderr: (text) => {
      seen.err += text;
    },
    progress: (line) => seen.progress.push(line),
  });
  return seen;
}

async function runJson(dirs: string[], flags: EvalFlags = {}): Promise<EvalReport> {
  return JSON.parse((await run(dirs, { ...flags, json: true })).out) as EvalReport;
}

describe('runEval', () => {
  it('prints a table', async () => {
    const { out, err, progress } = await run([named('birds')]);
    expect(out).toMatch(/^set +queries +ndcg@10/);
    expect(out).toMatch(/^birds +3 +1\.0000/m);
    expect(err).toBe('');
    expect(progress.at(-1)).toBe('birds: ask 3/3');
  });

  it('prints one object with json', async () => {
    const report = await runJson([named('birds'), named('fish')]);
    expect(report.sets.map(({ name, queries }) => [name, queries])).toEqual([
      ['birds', 3],
      ['fish', 3],
    ]);
    expect(report.mean.map).toBe(1);
    expect(report).not.toHaveProperty('comparison');
  });

  it('writes the run of one set to a file, and those of several to a folder', async () => {
    const folder = tempFolder();
    const file = join(folder, 'deeper', 'birds.run');
    await run([named('birds')], { run: file });
    expect(readRun(file).get('q1')?.[0]).toBe('d1');
    await run([named('birds'), named('fish')], { run: join(folder, 'runs') });
    expect(readdirSync(join(folder, 'runs')).sort()).toEqual(['birds.trec', 'fish.trec']);
  });

  it('compares with the figures of an earlier evaluation', async () => {
    const file = join(tempFolder(), 'before.jsonl');
    await run([named('birds')], { perQuery: file });
    expect(readPerQuery(file)).toHaveLength(3);
    const worse = named('birds', { qrels: ['q1\td4\t1', 'q2\td3\t1', 'q3\td2\t1'] });
    const { comparison } = await runJson([worse], { compare: file, perQuery: file });
    expect(comparison?.queries).toBe(3);
    expect(comparison?.metrics['mrr@10']).toMatchObject({ wins: 0, losses: 1, ties: 2 });
    expect(comparison?.metrics['mrr@10'].interval[0]).toBeLessThan(0);
  });

  it('says on stderr which queries a stream could not take part in', async () => {
    const dir = named('birds', { queries: [{ id: 'q1', text: '???' }, ...birds.queries.slice(1)] });
    expect((await run([dir])).err).toBe('birds: lexical: no-terms for 1 of 3 queries\n');
  });

  it.each([
    ['a limit out of range', { limit: 5000 }, 'invalid-argument'],
    ['an unknown stream', { streams: ['lexicla'] }, 'unknown-stream'],
    ['a stream that is not built yet', { streams: ['lexical', 'graph'] }, 'unknown-stream'],
    ['an unknown fusion', { fusion: 'sum' }, 'invalid-argument'],
    ['an embedder', { embedder: 'nobody' }, 'invalid-argument'],
    ['bad weights', { weights: 'lexical' }, 'invalid-argument'],
  ] as const)('refuses %s as wrong use before any work', async (_, flags, code) => {
    const progress: string[] = [];
    const call = runEval([named('birds')], flags, {
      stdout: (text) => progress.push(text),
      stderr: (text) => progress.push(text),
      progress: (line) => progress.push(line),
    });
    await expect(call).rejects.toMatchObject({ code, exitCode: 2 });
    expect(progress).toEqual([]);
  });

  it('refuses no folder, and two of the same name', async () => {
    await expect(run([])).rejects.toMatchObject({ code: 'invalid-argument' });
    await expect(run([named('birds'), named('birds')])).rejects.toThrow(/Two collections are named "birds"/);
  });

  it('refuses ids that a run cannot hold before it evaluates, and only when a run is asked for', async () => {
    const dir = named('birds', {
      corpus: [...birds.corpus, { id: 'a page.md', text: 'a crane' }],
    });
    const file = join(tempFolder(), 'out.run');
    await expect(run([dir], { run: file })).rejects.toThrow(/"a page\.md" holds white space/);
    expect(existsSync(file)).toBe(false);
    await expect(run([dir])).resolves.toMatchObject({ err: '' });
  });

  it('refuses places it cannot write to before it evaluates', async () => {
    const folder = tempFolder();
    await expect(run([named('birds')], { perQuery: folder })).rejects.toMatchObject({
      code: 'invalid-argument',
    });
    const file = join(folder, 'file');
    writeFileSync(file, '');
    await expect(run([named('birds'), named('fish')], { run: file })).rejects.toMatchObject({
      code: 'invalid-argument',
    });
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  it('refuses a missing file to compare with before it evaluates', async () => {
    await expect(run([named('birds')], { compare: join(tempFolder(), 'none') })).rejects.toThrow(
      /does not exist/,
    );
  });
});
