/**
 * Nearest neighbours (k = 60) in one interleaved run: Corvid's vector index on a store in a file, sqlite-vec float32
 * written the obvious way, and a plain loop over float32 in memory. For a viewer of everything and one of 1 % of it.
 * Arguments: `--json` prints rows alone; `--large` takes a million vectors too (about 6 GB of disk, 10 minutes);
 * `N×DIM` such as 20000x384 instead of the usual sizes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import * as sqliteVec from 'sqlite-vec';
import type { QueryPlan } from '../src/contracts/index.js';
import { resolveViewer } from '../src/core/scope.js';
import { open } from '../src/index.js';
import { Store } from '../src/store/store.js';
import { median, seeded } from './support/random.js';

const K = 60;
const QUERIES = 40;
const space = { provider: 'bench', model: 'clumps' };

interface Row {
  n: number;
  dim: number;
  engine: 'corvid' | 'sqlite-vec' | 'js';
  scope: 'all' | '1%';
  medianMs: number;
  recall10: number;
}

interface Loading {
  n: number;
  dim: number;
  buildSlabsMs: number;
  loadMs: number;
  loadWithoutSlabsMs: number;
  add1000Ms: number;
  bytesPerVector: number;
}

const args = process.argv.slice(2);
const json = args.includes('--json');
const own = args.flatMap((arg) => /^(\d+)x(\d+)$/.exec(arg)?.slice(1, 3).map(Number) ?? []);
const sizes: [number, number][] =
  own.length > 0
    ? [[own[0]!, own[1]!]]
    : [
        [5000, 768],
        [100_000, 384],
        ...(args.includes('--large') ? [[1_000_000, 384] as [number, number]] : []),
      ];
const rows: Row[] = [];
const loading: Loading[] = [];
for (const [n, dim] of sizes) await measure(n, dim);
if (json) {
  console.log(JSON.stringify({ rows, loading }));
} else {
  for (const row of rows)
    console.log(
      `${row.n} × ${row.dim} ${row.engine.padEnd(10)} ${row.scope.padEnd(3)} ${row.medianMs.toFixed(2)} ms, recall@10 ${row.recall10.toFixed(4)}`,
    );
  for (const row of loading)
    console.log(
      `${row.n} × ${row.dim}: slabs made in ${row.buildSlabsMs.toFixed(0)} ms, loaded in ${row.loadMs.toFixed(0)} ms (without them ${row.loadWithoutSlabsMs.toFixed(0)}), 1,000 added in ${row.add1000Ms.toFixed(0)} ms, ${row.bytesPerVector} bytes a vector`,
    );
}

/** Unit vectors in clumps of about a hundred. */
function clumps(n: number, dim: number): () => Float32Array {
  const random = seeded(11);
  const normal = () => Math.sqrt(-2 * Math.log(random() || 1e-12)) * Math.cos(2 * Math.PI * random());
  const centres = Array.from({ length: Math.ceil(n / 100) }, () =>
    Float32Array.from({ length: dim }, normal),
  );
  return () => {
    const centre = centres[Math.floor(random() * centres.length)]!;
    const vector = centre.map((value) => value + normal() * 0.7);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  };
}

async function measure(n: number, dim: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'corvid-bench-'));
  try {
    const make = clumps(n, dim);
    const all = new Float32Array(n * dim);
    for (let i = 0; i < n; i++) all.set(make(), i * dim);
    const at = (i: number) => all.subarray(i * dim, (i + 1) * dim);
    const queries = Array.from({ length: QUERIES }, make);
    const path = join(folder, 'corvid.db');
    const spaceId = await fill(path, n, dim, at);
    const vec = fillSqliteVec(join(folder, 'vec.db'), n, dim, at);

    const opened = () =>
      Store.open({
        path,
        readOnly: undefined,
        create: false,
        journalMode: 'wal',
        busyTimeoutMs: 5000,
        now: Date.now(),
      });
    const plan = (projects: string[] = ['some', 'rest']) =>
      ({
        query: { condition: null },
        viewer: resolveViewer({ project: projects }),
        filter: { kinds: [], tags: [], sources: [], visibilities: [], after: null, before: null },
        include: [],
        asOf: null,
        now: Date.now(),
        groupBy: 'item',
      }) as unknown as QueryPlan;

    let store = opened();
    const first = timed(() => store.vectors.search(spaceId, queries[0]!, plan(), K));
    const slabs = timed(() => {
      for (const range of store.slabs.outdated(spaceId, dim))
        store.write(() => store.slabs.write(spaceId, range, dim));
      store.write(() => store.slabs.settle(spaceId, store.changes.latest()));
    });
    store.close();
    store = opened();
    store.vectors.search(spaceId, queries[0]!, plan(), K);
    store.close();
    store = opened();
    const load = timed(() => store.vectors.search(spaceId, queries[0]!, plan(), K));
    for (const scope of ['all', '1%'] as const) {
      const inScope = (i: number) => scope === 'all' || i % 100 === 0;
      const engines = {
        corvid: (query: Float32Array) =>
          store.vectors
            .search(spaceId, query, plan(scope === 'all' ? undefined : ['some']), K)
            .map(({ item }) => item - 1),
        'sqlite-vec': (query: Float32Array) => vec.search(query, scope === 'all' ? null : 1),
        js: (query: Float32Array) => exact(all, n, dim, query, inScope),
      };
      const times: Record<string, number[]> = { corvid: [], 'sqlite-vec': [], js: [] };
      const recalled: Record<string, number> = { corvid: 0, 'sqlite-vec': 0, js: 0 };
      for (const query of queries) {
        const found: Record<string, number[]> = {};
        for (const [name, search] of Object.entries(engines)) {
          times[name]!.push(
            timed(() => {
              found[name] = search(query);
            }),
          );
        }
        const best = new Set(found['js']!.slice(0, 10));
        for (const name of Object.keys(engines))
          recalled[name]! += found[name]!.slice(0, 10).filter((i) => best.has(i)).length / best.size;
      }
      for (const engine of ['corvid', 'sqlite-vec', 'js'] as const)
        rows.push({
          n,
          dim,
          engine,
          scope,
          medianMs: median(times[engine]!),
          recall10: recalled[engine]! / QUERIES,
        });
    }
    const add = addSome(path, 1000, make, () => store.vectors.search(spaceId, queries[0]!, plan(), K));
    loading.push({
      n,
      dim,
      buildSlabsMs: slabs,
      loadMs: load,
      loadWithoutSlabsMs: first,
      add1000Ms: add,
      bytesPerVector: store.vectors.usage()[0]!.bytesPerVector,
    });
    store.close();
    vec.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function timed(call: () => unknown): number {
  const start = performance.now();
  call();
  return performance.now() - start;
}

/** A store with `n` items of one chunk and one vector each, every hundredth of them in a project of its own. */
async function fill(path: string, n: number, dim: number, at: (i: number) => Float32Array): Promise<number> {
  const memory = await open(path);
  await memory.add({
    text: 'first',
    embedding: at(0),
    space: { ...space, dimensions: dim },
    scope: { project: 'some' },
  });
  await memory.add({
    text: 'second',
    embedding: at(1),
    space: { ...space, dimensions: dim },
    scope: { project: 'rest' },
  });
  await memory.close();
  // Written by hand: a million items would take the library a quarter of an hour, and only their vectors matter here.
  const db = new Sqlite(path);
  const copy = (table: string, key: string, change: Record<string, string>) => {
    const columns = db.prepare(`SELECT name FROM pragma_table_info('${table}')`).pluck().all() as string[];
    const values = columns.map((column) => change[column] ?? column);
    return db.prepare(
      `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM ${table} WHERE ${key} = @from`,
    );
  };
  const items = copy('items', 'item_key', { item_key: '@to', id: "'i' || @to" });
  const chunks = copy('chunks', 'chunk', { chunk: '@to', item_key: '@to' });
  const visibility = copy('visibility', 'chunk', { chunk: '@to', item_key: '@to' });
  const vectors = db.prepare(
    'INSERT INTO embeddings (space_id, chunk, input_hash, vector) SELECT space_id, @to, input_hash, @vector FROM embeddings WHERE chunk = 1',
  );
  db.transaction(() => {
    for (let i = 2; i < n; i++) {
      const key = { from: i % 100 === 0 ? 1 : 2, to: i + 1 };
      items.run(key);
      chunks.run(key);
      visibility.run(key);
      vectors.run({ to: i + 1, vector: bytesOf(at(i)) });
    }
  })();
  const id = db.prepare('SELECT space_id FROM spaces').pluck().get() as number;
  db.close();
  return id;
}

/** How long it takes to write vectors into the store and to find by them. */
function addSome(path: string, count: number, make: () => Float32Array, search: () => unknown): number {
  search();
  const db = new Sqlite(path);
  const last = db.prepare('SELECT max(chunk) FROM chunks').pluck().get() as number;
  const made = Array.from({ length: count }, make);
  db.exec('BEGIN');
  const vector = db.prepare('UPDATE embeddings SET vector = ? WHERE chunk = ?');
  const change = db.prepare("INSERT INTO changes (item_key, op, at) VALUES (?, 'embed', 0)");
  const start = performance.now();
  for (const [i, value] of made.entries()) {
    const key = last - i;
    vector.run(bytesOf(value), key);
    change.run(key);
  }
  db.exec('COMMIT');
  search();
  const ms = performance.now() - start;
  db.close();
  return ms;
}

function bytesOf(vector: Float32Array): Buffer {
  return Buffer.from(
    vector.buffer.slice(vector.byteOffset, vector.byteOffset + vector.byteLength) as ArrayBuffer,
  );
}

function fillSqliteVec(path: string, n: number, dim: number, at: (i: number) => Float32Array) {
  const db = new Sqlite(path);
  sqliteVec.load(db);
  db.exec(`CREATE VIRTUAL TABLE whole USING vec0(embedding float[${dim}] distance_metric=cosine)`);
  db.exec(
    `CREATE VIRTUAL TABLE parts USING vec0(part integer partition key, embedding float[${dim}] distance_metric=cosine)`,
  );
  const whole = db.prepare('INSERT INTO whole (rowid, embedding) VALUES (?, ?)');
  const parts = db.prepare('INSERT INTO parts (rowid, part, embedding) VALUES (?, ?, ?)');
  db.transaction(() => {
    for (let i = 0; i < n; i++) {
      whole.run(BigInt(i), bytesOf(at(i)));
      if (i % 100 === 0) parts.run(BigInt(i), 1n, bytesOf(at(i)));
    }
  })();
  const inWhole = db.prepare(`SELECT rowid FROM whole WHERE embedding MATCH ? AND k = ${K}`).pluck();
  const inPart = db
    .prepare(`SELECT rowid FROM parts WHERE embedding MATCH ? AND k = ${K} AND part = ?`)
    .pluck();
  return {
    search: (query: Float32Array, part: number | null) =>
      (part === null ? inWhole.all(bytesOf(query)) : inPart.all(bytesOf(query), BigInt(part))) as number[],
    close: () => db.close(),
  };
}

function exact(
  all: Float32Array,
  n: number,
  dim: number,
  query: Float32Array,
  inScope: (i: number) => boolean,
): number[] {
  const found: { i: number; cosine: number }[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < n; i++) {
    if (!inScope(i)) continue;
    let sum = 0;
    for (let j = 0, from = i * dim; j < dim; j++) sum += all[from + j]! * query[j]!;
    if (found.length === K && sum <= least) continue;
    let place = found.length;
    while (place > 0 && found[place - 1]!.cosine < sum) place--;
    found.splice(place, 0, { i, cosine: sum });
    if (found.length > K) found.pop();
    least = found.at(-1)!.cosine;
  }
  return found.map(({ i }) => i);
}
