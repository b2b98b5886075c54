/**
 * What scopes cost: keyword search for a viewer with two scopes over many chunks, beside the bare
 * `ORDER BY bm25()` statement over the whole index with the same terms and LIMIT. Medians of one interleaved run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { open } from '../src/index.js';
import { median, seeded, wordAt, zipfWords } from './support/random.js';

const chunks = Number(process.argv[2] ?? 100_000);
const rounds = 40;
const WORDS = 40;
const CANDIDATES = 300;
const folder = mkdtempSync(join(tmpdir(), 'corvid-bench-'));
try {
  const path = join(folder, 'bench.db');
  const random = seeded(7);
  const word = zipfWords(random, 50_000);
  const memory = await open(path);
  for (const kind of ['document', 'memory'] as const) {
    await memory.addMany(
      (function* () {
        for (let i = 0; i < chunks / 2; i++) {
          const room = `r${Math.floor(random() * 10)}`;
          yield {
            kind,
            text: Array.from({ length: WORDS }, word).join(' '),
            scope: { room },
            ...(kind === 'memory' ? { importance: Math.round(random() * 10) / 10 } : {}),
          };
        }
      })(),
      { batchSize: 5000 },
    );
    if (kind === 'document') await measure(`documents only, ${chunks / 2} chunks`);
  }
  await measure(`half memories with strengths, ${chunks} chunks`);
  await memory.close();

  async function measure(name: string) {
    const bare = new Sqlite(path, { readonly: true });
    const statement = bare.prepare(
      'SELECT rowid FROM lexical WHERE lexical MATCH ? ORDER BY bm25(lexical, 3, 1, 1, 1.5) LIMIT ?',
    );
    const times = { bare: [] as number[], two: [] as number[], all: [] as number[] };
    const viewers = { two: ['r1', 'r2'], all: Array.from({ length: 10 }, (_, i) => `r${i}`) };
    for (let round = -5; round < rounds; round++) {
      // Two frequent, two middling, two rare words: what a question looks like without its function words.
      const terms = [3, 12, 80, 300, 2000, 9000].map((rank) => wordAt(rank + Math.floor(random() * rank)));
      const take = async (key: keyof typeof times, call: () => unknown) => {
        const start = performance.now();
        await call();
        if (round >= 0) times[key].push(performance.now() - start);
      };
      await take('bare', () => statement.all(terms.map((term) => `"${term}"`).join(' OR '), CANDIDATES));
      for (const key of ['two', 'all'] as const) {
        await take(key, () =>
          memory.search(terms.join(' '), { viewer: { rooms: viewers[key] }, touch: false }),
        );
      }
    }
    bare.close();
    const base = median(times.bare);
    console.log(name);
    console.log(`  bare ORDER BY bm25()            ${base.toFixed(2)} ms`);
    for (const key of ['two', 'all'] as const) {
      const value = median(times[key]);
      console.log(
        `  search, viewer of ${key === 'two' ? 'two scopes' : 'ten scopes'}    ${value.toFixed(2)} ms   ${(value / base).toFixed(2)} ×`,
      );
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
