import type { ChangeFeed } from './change-feed.js';
import type { Connection } from './connection.js';
import { fromBytes } from './embedding-queue.js';

interface VectorRow {
  chunk: number;
  item: number;
  vector: Buffer;
}

const FIRST_ROWS = 256;

/**
 * The vectors of one space in memory, one row a chunk, kept true by the change feed: what another process wrote is
 * there at the next look. Takes dimensions × 4 bytes a vector.
 */
export class VectorMatrix {
  readonly #connection: Connection;
  readonly #feed: ChangeFeed;
  readonly #space: number;
  #dimensions = 0;
  #values = new Float32Array(0);
  #used = 0;
  #free: number[] = [];
  #rows = new Map<number, number>();
  #items = new Map<number, number[]>();
  #asOfChange = -1;

  constructor(connection: Connection, feed: ChangeFeed, space: number) {
    this.#connection = connection;
    this.#feed = feed;
    this.#space = space;
  }

  get dimensions(): number {
    return this.#dimensions;
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Row of a chunk, or undefined when it has no vector. */
  rowOf(chunk: number): number | undefined {
    return this.#rows.get(chunk);
  }

  /** Dot product of a row with a vector of the same width: the cosine, since both have length 1. */
  dot(row: number, query: Float32Array): number {
    const values = this.#values;
    const width = this.#dimensions;
    const from = row * width;
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let i = 0;
    for (; i + 3 < width; i += 4) {
      a += values[from + i]! * query[i]!;
      b += values[from + i + 1]! * query[i + 1]!;
      c += values[from + i + 2]! * query[i + 2]!;
      d += values[from + i + 3]! * query[i + 3]!;
    }
    for (; i < width; i++) a += values[from + i]! * query[i]!;
    return a + b + c + d;
  }

  /** Takes in what changed since the last look. */
  refresh(): void {
    this.#connection.read(() => {
      const latest = this.#feed.latest();
      if (latest === this.#asOfChange) return;
      const changes =
        this.#asOfChange < 0 ? null : this.#feed.since(this.#asOfChange, Number.MAX_SAFE_INTEGER);
      if (changes === null) this.#loadAll();
      else {
        const touched = new Set(
          changes.filter((change) => change.op !== 'state').map((change) => change.item),
        );
        if (touched.size > 0) this.#reload([...touched]);
      }
      this.#asOfChange = latest;
    });
  }

  #loadAll(): void {
    this.#values = new Float32Array(0);
    this.#used = 0;
    this.#free = [];
    this.#rows = new Map();
    this.#items = new Map();
    const rows = this.#connection.all<VectorRow>(
      `SELECT e.chunk, c.item_key AS item, e.vector FROM embeddings e JOIN chunks c ON c.chunk = e.chunk
       WHERE e.space_id = ?`,
      this.#space,
    );
    for (const row of rows) this.#put(row);
  }

  #reload(items: readonly number[]): void {
    for (const item of items) {
      for (const chunk of this.#items.get(item) ?? []) {
        this.#free.push(this.#rows.get(chunk)!);
        this.#rows.delete(chunk);
      }
      this.#items.delete(item);
    }
    const rows = this.#connection.all<VectorRow>(
      `SELECT e.chunk, c.item_key AS item, e.vector FROM chunks c JOIN embeddings e ON e.chunk = c.chunk
       WHERE c.item_key IN (SELECT value FROM json_each(?)) AND e.space_id = ?`,
      JSON.stringify(items),
      this.#space,
    );
    for (const row of rows) this.#put(row);
  }

  #put({ chunk, item, vector }: VectorRow): void {
    const values = fromBytes(vector);
    if (this.#dimensions === 0) this.#dimensions = values.length;
    // A row of another width cannot be compared; the store refuses such vectors, a damaged file may hold one.
    if (values.length !== this.#dimensions) return;
    const row = this.#free.pop() ?? this.#used++;
    if ((row + 1) * this.#dimensions > this.#values.length) this.#grow(row + 1);
    this.#values.set(values, row * this.#dimensions);
    this.#rows.set(chunk, row);
    const chunks = this.#items.get(item);
    if (chunks) chunks.push(chunk);
    else this.#items.set(item, [chunk]);
  }

  #grow(rows: number): void {
    const larger = new Float32Array(Math.max(FIRST_ROWS, rows * 2) * this.#dimensions);
    larger.set(this.#values);
    this.#values = larger;
  }
}
