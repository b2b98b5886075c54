import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CorvidError, type Progress } from '../index.js';
import { type Collection, loadCollection } from './collection.js';
import { compare } from './compare.js';
import { checkOptions, evaluate, type SetResult } from './evaluate.js';
import { type EvalFlags, toEvaluateOptions } from './flags.js';
import { readPerQuery, writePerQuery } from './per-query.js';
import { makeReport, renderReport } from './report.js';
import { assertRunIds, writeRun } from './run-file.js';
import { isFolder, prepareFile, quote } from './text-file.js';

/** Where a command writes. Texts come with their line ends. */
export interface EvalOutput {
  stdout: (text: string) => void;
  stderr: (text: string) => void;
  /** One line, without line end, that replaces the one before; leave it out where nobody watches. */
  progress?: ((line: string) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Evaluates collections and prints a table, or with `json` one object. All that can be wrong with flags, collections
 * and files is looked at before the first document is indexed.
 *
 * @throws CorvidError; nothing is printed on `stdout` then.
 */
export async function runEval(dirs: readonly string[], flags: EvalFlags, io: EvalOutput): Promise<void> {
  const options = toEvaluateOptions(flags);
  await checkOptions({ ...options, signal: io.signal });
  const collections = loadAll(dirs);
  const runPaths = flags.run === undefined ? [] : prepareRuns(flags.run, collections);
  if (flags.perQuery !== undefined) prepareFile(flags.perQuery, '--per-query');
  const before = flags.compare === undefined ? undefined : readPerQuery(flags.compare);

  const results: SetResult[] = [];
  for (const [i, collection] of collections.entries()) {
    const result = await evaluate(collection, {
      ...options,
      signal: io.signal,
      onProgress: io.progress && progressLine(collection.name, io.progress),
    });
    const path = runPaths[i];
    if (path !== undefined) writeRun(path, result.run);
    for (const { stream, reason, queries } of result.degraded) {
      io.stderr(`${result.name}: ${stream}: ${reason} for ${queries} of ${result.queries} queries\n`);
    }
    results.push(result);
  }

  const perQuery = results.flatMap((result) => result.perQuery);
  if (flags.perQuery !== undefined) writePerQuery(flags.perQuery, perQuery);
  const report = makeReport(results, before && compare(before, perQuery));
  io.stdout(flags.json ? `${JSON.stringify(report, null, 2)}\n` : renderReport(report));
}

/** Collections by the names of their folders, which must differ: runs and figures of queries are kept by name. */
function loadAll(dirs: readonly string[]): Collection[] {
  if (dirs.length === 0) {
    throw new CorvidError('invalid-argument', 'No collection is named.', {
      hint: 'Name one folder or more, each with corpus.jsonl, queries.jsonl and qrels.tsv.',
    });
  }
  const collections: Collection[] = [];
  for (const dir of dirs) {
    const collection = loadCollection(dir);
    if (collections.some(({ name }) => name === collection.name)) {
      throw new CorvidError('invalid-argument', `Two collections are named ${quote(collection.name)}.`, {
        hint: 'Rename one of the folders, or evaluate them one after the other.',
      });
    }
    collections.push(collection);
  }
  return collections;
}

/** One path a collection: the file itself for one, `NAME.trec` in a folder for several. */
function prepareRuns(path: string, collections: readonly Collection[]): string[] {
  for (const collection of collections) assertRunIds(collection);
  const folder = collections.length > 1 || isFolder(path) || /[/\\]$/.test(path);
  if (!folder) {
    prepareFile(path, '--run');
    return [path];
  }
  try {
    mkdirSync(path, { recursive: true });
  } catch (cause) {
    throw new CorvidError(
      'invalid-argument',
      `--run names no folder, and none can be made: ${quote(path)}.`,
      {
        hint: 'For several collections name a folder; each gets a file NAME.trec in it.',
        cause,
      },
    );
  }
  const paths = collections.map(({ name }) => join(path, `${name}.trec`));
  for (const file of paths) prepareFile(file, '--run');
  return paths;
}

function progressLine(name: string, write: (line: string) => void): (progress: Progress) => void {
  return ({ phase, done, total }) =>
    write(`${name}: ${phase} ${done}${total === undefined ? '' : `/${total}`}`);
}
