/**
 * What a keyword search costs beside the statements that SQLite offers for it: `ORDER BY bm25()` and `ORDER BY rank`,
 * over the same terms, the same index and the same LIMIT. Real questions over real texts cut into short passages, at
 * 5,000 and 100,000 chunks; medians of one interleaved run, in which the order of the three changes with every question.
 *
 * `npm run bench -- lexical-latency [--dir FOLDER] [--chunks 5000,100000] [--rounds 3] [--limit 10] [--json]`: FOLDER
 * holds labelled collections (docs/evaluation.md); the ones of a subfolder without `corpus.jsonl` are passed over.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Sqlite from 'better-sqlite3';
import { createAnalyzer } from '../src/core/analysis/analyzer.js';
import { defaults } from '../src/core/defaults.js';
import { parseQuery } from '../src/core/query/parse-query.js';
import { loadCollection } from '../src/eval/collection.js';
import { open } from '../src/index.js';
import { ftsString } from '../src/store/fts-string.js';
import { median, seeded } from './support/random.js';

const { values: o } = parseArgs({
  options: {
    dir: { type: 'string', default: '../shared/retrieval' },
    chunks: { type: 'string', default: '5000,100000' },
    rounds: { type: 'string', default: '3' },
    questions: { type: 'string', default: '200' },
    limit: { type: 'string', default: '10' },
    json: { type: 'boolean', default: false },
  },
});
/** English or code, short questions: what the lexical stream is asked. */
const COLLECTIONS = [
  'locomo-fixed',
  'scifact',
  'cranfield',
  'cacm',
  'med',
  'codebase-chunks',
  'cosqa-dev',
  'hotpot100',
  'musique100',
];
/** A passage is cut at the first blank from here on. */
const PASSAGE_CHARS = 150;

const analyzer = createAnalyzer();
const limit = Number(o.limit);
const { passages, questions } = readTexts(o.dir);
for (const chunks of o.chunks.split(',').map(Number)) await measure(chunks);

async function measure(chunks: number) {
  const folder = mkdtempSync(join(tmpdir(), 'corvid-bench-'));
  try {
    const path = join(folder, 'bench.db');
    const memory = await open({ path, embedder: 'none' });
    const texts = shuffled(passages, 11).slice(0, chunks);
    if (texts.length < chunks) throw new Error(`The collections give ${texts.length} passages only.`);
    await memory.addMany(
      texts.map((text) => ({ kind: 'document' as const, text })),
      { batchSize: 5000 },
    );
    const asked = shuffled(questions, 5).slice(0, Number(o.questions));
    const bare = new Sqlite(path, { readonly: true });
    const { title, body, exact, header } = defaults.columns;
    const weights = `${title}, ${body}, ${exact}, ${header}`;
    const byBm25 = bare.prepare(
      `SELECT rowid FROM lexical WHERE lexical MATCH ? ORDER BY bm25(lexical, ${weights}) LIMIT ?`,
    );
    const byRank = bare.prepare(
      `SELECT rowid FROM lexical WHERE lexical MATCH ? AND rank MATCH 'bm25(${weights})' ORDER BY rank LIMIT ?`,
    );
    const matchOf = new Map(
      asked.map((text) => [
        text,
        parseQuery(text, analyzer)
          .terms.map((term) => ftsString(term.term))
          .join(' OR '),
      ]),
    );
    const ways = {
      bm25: (text: string) => byBm25.all(matchOf.get(text), limit),
      rank: (text: string) => byRank.all(matchOf.get(text), limit),
      search: (text: string) => memory.search(text, { limit, touch: false }),
    };
    const names = Object.keys(ways) as (keyof typeof ways)[];
    const times: Record<keyof typeof ways, number[]> = { bm25: [], rank: [], search: [] };
    // The first round warms caches and compilers and is not counted.
    for (let round = -1; round < Number(o.rounds); round++) {
      for (const [i, text] of asked.entries()) {
        for (let turn = 0; turn < names.length; turn++) {
          const name = names[(turn + i + round + 1) % names.length]!;
          const start = performance.now();
          await ways[name](text);
          if (round >= 0) times[name].push(performance.now() - start);
        }
      }
    }
    bare.close();
    await memory.close();
    report(chunks, texts, asked.length, times);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(
  chunks: number,
  texts: readonly string[],
  asked: number,
  times: Record<'bm25' | 'rank' | 'search', number[]>,
) {
  const ms = { bm25: median(times.bm25), rank: median(times.rank), search: median(times.search) };
  const row = {
    chunks,
    words: Math.round(texts.reduce((sum, text) => sum + text.split(/\s+/).length, 0) / texts.length),
    questions: asked,
    limit,
    ms,
    ratio: { bm25: ms.search / ms.bm25, rank: ms.search / ms.rank },
  };
  if (o.json) {
    console.log(JSON.stringify(row));
    return;
  }
  console.log(`${chunks} chunks of ${row.words} words, ${asked} questions, LIMIT ${limit}`);
  console.log(`  ORDER BY bm25()   ${ms.bm25.toFixed(3)} ms`);
  console.log(`  ORDER BY rank     ${ms.rank.toFixed(3)} ms`);
  console.log(
    `  search            ${ms.search.toFixed(3)} ms   ${row.ratio.bm25.toFixed(2)} × bm25()   ${row.ratio.rank.toFixed(2)} × rank`,
  );
}

/** Every passage once, and every question. */
function readTexts(dir: string): { passages: string[]; questions: string[] } {
  const found = new Set<string>();
  const asked: string[] = [];
  const present = existsSync(dir) ? readdirSync(dir) : [];
  for (const name of COLLECTIONS.filter((collection) => present.includes(collection))) {
    const collection = loadCollection(join(dir, name));
    for (const document of collection.documents) for (const text of cut(document.text)) found.add(text);
    // As many of each, or the largest would be asked alone.
    asked.push(
      ...shuffled(collection.queries, 3)
        .slice(0, 60)
        .map(({ text }) => text),
    );
  }
  if (found.size === 0) throw new Error(`There are no collections in ${dir}; name their folder with --dir.`);
  return { passages: [...found], questions: asked };
}

function cut(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const blank = text.indexOf(' ', from + PASSAGE_CHARS);
    const to = blank < 0 ? text.length : blank;
    const piece = text.slice(from, to).trim();
    if (piece !== '') pieces.push(piece);
    from = to + 1;
  }
  return pieces;
}

function shuffled<T>(list: readonly T[], seed: number): T[] {
  const random = seeded(seed);
  return list
    .map((entry) => ({ entry, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ entry }) => entry);
}
