import { quantise } from '../core/vector/quantise.js';
import type { ChangeFeed } from './change-feed.js';
import type { Connection } from './connection.js';
import { fromBytes } from './vector-bytes.js';

/** Chunk keys of one slab: the same in every process, since a key is never given twice. */
const SLAB_CHUNKS = 1024;
/** Fewer vectors are read as quickly one by one. */
const MIN_VECTORS = 4096;

/** The vectors of up to 1,024 neighbouring chunk keys as they lie in memory. */
export interface Slab {
  chunks: number[];
  /** `dimensions` numbers a chunk. */
  numbers: Int8Array;
  scales: Float32Array;
}

/**
 * Int8 copies of a space's vectors, a row of the table for each range of chunk keys, from which a large space is in
 * memory in no time. Always derived: a range without a slab is read from the vectors themselves. A slab holds what its
 * range held at its change; whoever deletes a chunk deletes its slab, so that nothing of a text outlives it here.
 */
export class Slabs {
  readonly #connection: Connection;
  readonly #feed: ChangeFeed;

  constructor(connection: Connection, feed: ChangeFeed) {
    this.#connection = connection;
    this.#feed = feed;
  }

  /** Deletes the slabs of chunks that are about to go. Call inside their write. */
  removeOf(chunks: readonly number[]): void {
    for (const n of new Set(chunks.map((chunk) => Math.floor(chunk / SLAB_CHUNKS)))) {
      this.#connection.run('DELETE FROM slabs WHERE n = ? AND space_id IN (SELECT space_id FROM spaces)', n);
    }
  }

  /** The change up to which the slabs that are there are complete; null when there are none to rely on. */
  asOfChange(space: number): number | null {
    const text = this.#connection.value<string>('SELECT value FROM settings WHERE name = ?', setting(space));
    return text === undefined ? null : Number(text);
  }

  read(space: number, n: number, dimensions: number): Slab | null {
    const row = this.#connection.get<{ chunks: Buffer; scales: Buffer; vectors: Buffer }>(
      'SELECT chunks, scales, vectors FROM slabs WHERE space_id = ? AND n = ?',
      space,
      n,
    );
    if (!row) return null;
    const count = row.chunks.byteLength / 2;
    // One that was cut short, or is of another width, is as good as none.
    if (row.scales.byteLength !== count * 4 || row.vectors.byteLength !== count * dimensions) return null;
    const chunks = Array.from({ length: count }, (_, i) => n * SLAB_CHUNKS + row.chunks.readUInt16LE(i * 2));
    const { buffer, byteOffset, byteLength } = row.vectors;
    return { chunks, numbers: new Int8Array(buffer, byteOffset, byteLength), scales: fromBytes(row.scales) };
  }

  /** Ranges of chunk keys that hold vectors of a space, ascending, found by skipping through the index. */
  ranges(space: number): number[] {
    const ranges: number[] = [];
    for (let from = 0; ; ) {
      const chunk = this.#connection.value<number>(
        'SELECT chunk FROM embeddings WHERE space_id = ? AND chunk >= ? ORDER BY chunk LIMIT 1',
        space,
        from,
      );
      if (chunk === undefined) return ranges;
      const n = Math.floor(chunk / SLAB_CHUNKS);
      ranges.push(n);
      from = (n + 1) * SLAB_CHUNKS;
    }
  }

  /** Vectors of a range from where they are kept. */
  vectors(space: number, n: number): { chunk: number; vector: Float32Array }[] {
    return this.#connection
      .rows<[chunk: number, vector: Buffer]>(
        'SELECT chunk, vector FROM embeddings WHERE space_id = ? AND chunk >= ? AND chunk < ? ORDER BY chunk',
        space,
        n * SLAB_CHUNKS,
        (n + 1) * SLAB_CHUNKS,
      )
      .map(([chunk, vector]) => ({ chunk, vector: fromBytes(vector) }));
  }

  /** What is missing or older than the last changes of its range; nothing for a small space. */
  outdated(space: number, dimensions: number): number[] {
    return this.#connection.read(() => {
      const enough = this.#connection.value(
        'SELECT 1 FROM embeddings WHERE space_id = ? LIMIT 1 OFFSET ?',
        space,
        MIN_VECTORS - 1,
      );
      if (enough === undefined || dimensions === 0) return [];
      const since = this.asOfChange(space);
      const changes = since === null ? null : this.#feed.since(since, Number.MAX_SAFE_INTEGER);
      const ranges = this.ranges(space);
      if (changes === null || since === null) return ranges;
      const items = new Set(changes.filter(({ op }) => op !== 'state').map(({ item }) => item));
      const touched = this.#connection.values<number>(
        `SELECT DISTINCT chunk / ${SLAB_CHUNKS} FROM chunks WHERE item_key IN (SELECT value FROM json_each(?))`,
        JSON.stringify([...items]),
      );
      const stale = new Set(touched);
      const there = new Map(
        this.#connection.rows<[n: number, change: number]>(
          'SELECT n, change FROM slabs WHERE space_id = ?',
          space,
        ),
      );
      const latest = this.#feed.latest();
      return ranges.filter((n) => !there.has(n) || (stale.has(n) && there.get(n)! < latest));
    });
  }

  /** Makes the slab of a range anew. Call inside a write. */
  write(space: number, n: number, dimensions: number): void {
    const rows = this.vectors(space, n).filter(({ vector }) => vector.length === dimensions);
    const chunks = Buffer.alloc(rows.length * 2);
    const scales = Buffer.alloc(rows.length * 4);
    const numbers = new Int8Array(rows.length * dimensions);
    for (const [i, { chunk, vector }] of rows.entries()) {
      chunks.writeUInt16LE(chunk - n * SLAB_CHUNKS, i * 2);
      const scale = quantise(vector, numbers.subarray(i * dimensions, (i + 1) * dimensions));
      scales.writeFloatLE(scale, i * 4);
    }
    this.#connection.run(
      `INSERT INTO slabs (space_id, n, change, chunks, scales, vectors) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (space_id, n) DO UPDATE SET change = excluded.change, chunks = excluded.chunks,
         scales = excluded.scales, vectors = excluded.vectors`,
      space,
      n,
      this.#feed.latest(),
      chunks,
      scales,
      Buffer.from(numbers.buffer),
    );
  }

  /** Every range was up to date as of a change. Call inside a write. */
  settle(space: number, asOfChange: number): void {
    this.#connection.run(
      'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      setting(space),
      String(asOfChange),
    );
  }
}

function setting(space: number): string {
  return `slabs_of_space_${space}`;
}
