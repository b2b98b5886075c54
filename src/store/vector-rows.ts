import { plainKernel } from '../core/vector/plain-kernel.js';
import { QuantisedMatrix } from '../core/vector/quantised-matrix.js';
import { wasmKernel } from '../core/vector/wasm-kernel.js';
import type { ChangeFeed } from './change-feed.js';
import type { Connection } from './connection.js';
import type { Slabs } from './slabs.js';
import { fromBytes } from './vector-bytes.js';

/** A visibility row, in the order of {@link NARROW}. */
type NarrowRow = [
  chunk: number,
  item: number,
  scope: number,
  flags: number,
  expiresAt: number | null,
  authoredAt: number,
  kind: number,
  source: number | null,
];

const NARROW = 'v.chunk, v.item_key, v.scope_id, v.flags, v.expires_at, v.authored_at, v.kind, v.source_id';
const FIRST_ROWS = 1024;
/** In place of a chunk: the row is free. */
const FREE = -1;
/** In place of a row: there is no other. */
const NONE = -1;
const NO_SOURCE = -1;

/**
 * The vectors of one space in memory, a row a chunk, with what decides who may see them. Kept true by the change feed:
 * what another process wrote is there at the next look. Rows of what is gone are used again.
 */
export class VectorRows {
  readonly #connection: Connection;
  readonly #feed: ChangeFeed;
  readonly #slabs: Slabs;
  readonly #space: number;
  readonly #signsFromBytes: number;
  #matrix: QuantisedMatrix | null = null;
  #used = 0;
  #free: number[] = [];
  #rowOf = new Map<number, number>();
  /** The first row of an item; `next` leads to its others. */
  #heads = new Map<number, number>();
  #asOfChange = -1;
  #version = 0;
  #readSingly = 0;

  chunks = new Float64Array(0);
  items = new Float64Array(0);
  authoredAt = new Float64Array(0);
  /** Infinity where it never does. */
  expiresAt = new Float64Array(0);
  scopes = new Float64Array(0);
  sources = new Float64Array(0);
  flags = new Uint8Array(0);
  kinds = new Uint8Array(0);
  next = new Int32Array(0);

  constructor(
    connection: Connection,
    feed: ChangeFeed,
    slabs: Slabs,
    o: { space: number; signsFromBytes: number },
  ) {
    this.#connection = connection;
    this.#feed = feed;
    this.#slabs = slabs;
    this.#space = o.space;
    this.#signsFromBytes = o.signsFromBytes;
  }

  /** Null while there is no vector. */
  get matrix(): QuantisedMatrix | null {
    return this.#rowOf.size === 0 ? null : this.#matrix;
  }

  /** Rows in use are below this; some of those are free. */
  get end(): number {
    return this.#used;
  }

  /** Another number whenever rows, or who may see them, changed. */
  get version(): number {
    return this.#version;
  }

  /** How many vectors were read one by one so far, since no slab had them. */
  get readSingly(): number {
    return this.#readSingly;
  }

  isFree(row: number): boolean {
    return this.chunks[row] === FREE;
  }

  /** Row of a chunk, or undefined when it has no vector. */
  rowOf(chunk: number): number | undefined {
    return this.#rowOf.get(chunk);
  }

  /** Rows of an item. */
  rowsOf(item: number): number[] {
    const rows: number[] = [];
    for (let row = this.#heads.get(item) ?? NONE; row !== NONE; row = this.next[row]!) rows.push(row);
    return rows;
  }

  /** Takes in what changed since the last look. */
  refresh(): void {
    this.#connection.read(() => {
      const latest = this.#feed.latest();
      if (latest === this.#asOfChange) return;
      const changes =
        this.#asOfChange < 0 ? null : this.#feed.since(this.#asOfChange, Number.MAX_SAFE_INTEGER);
      if (changes === null) {
        this.#load();
      } else {
        const touched = new Set<number>();
        const moved = new Set<number>();
        for (const { op, item } of changes) (op === 'state' ? moved : touched).add(item);
        if (touched.size > 0) this.#reload([...touched]);
        const rest = [...moved].filter((item) => !touched.has(item));
        if (rest.length > 0) this.#describe(rest);
      }
      this.#asOfChange = latest;
      this.#version++;
    });
  }

  #load(): void {
    this.#matrix = null;
    this.#used = 0;
    this.#free = [];
    this.#rowOf = new Map();
    this.#heads = new Map();
    const dimensions = this.#dimensions();
    if (dimensions === 0) return;
    const since = this.#slabs.asOfChange(this.#space);
    const changes = since === null ? null : this.#feed.since(since, Number.MAX_SAFE_INTEGER);
    for (const n of this.#slabs.ranges(this.#space)) {
      const slab = changes && this.#slabs.read(this.#space, n, dimensions);
      if (slab) {
        for (const [i, chunk] of slab.chunks.entries()) {
          const row = this.#take(chunk, dimensions);
          const numbers = slab.numbers.subarray(i * dimensions, (i + 1) * dimensions);
          this.#matrix!.setQuantised(row, numbers, slab.scales[i]!);
        }
      } else {
        const vectors = this.#slabs.vectors(this.#space, n);
        this.#readSingly += vectors.length;
        for (const { chunk, vector } of vectors) this.#put(chunk, vector, dimensions);
      }
    }
    this.#readNarrow(
      this.#connection.rows<NarrowRow>(`SELECT ${NARROW} FROM visibility v ORDER BY v.chunk`),
      () => true,
    );
    const touched = new Set((changes ?? []).filter(({ op }) => op !== 'state').map(({ item }) => item));
    if (touched.size > 0) this.#reload([...touched]);
    // What a slab still had of a chunk that is gone.
    for (let row = 0; row < this.#used; row++)
      if (this.chunks[row] !== FREE && this.items[row] === FREE) this.#release(row);
  }

  /** Width of the space's vectors: what was declared or seen first, else that of the first vector. */
  #dimensions(): number {
    return (
      this.#connection.value<number | null>(
        'SELECT dimensions FROM spaces WHERE space_id = ?',
        this.#space,
      ) ??
      this.#connection.value<number>(
        'SELECT length(vector) / 4 FROM embeddings WHERE space_id = ? LIMIT 1',
        this.#space,
      ) ??
      0
    );
  }

  #reload(items: readonly number[]): void {
    const wanted = JSON.stringify(items);
    for (const item of items) {
      for (const row of this.rowsOf(item)) this.#release(row);
      this.#heads.delete(item);
    }
    const dimensions = this.#matrix?.dimensions ?? this.#dimensions();
    const rows = this.#connection.rows<[chunk: number, vector: Buffer]>(
      `SELECT e.chunk, e.vector FROM chunks c JOIN embeddings e ON e.chunk = c.chunk
       WHERE c.item_key IN (SELECT value FROM json_each(?)) AND e.space_id = ?`,
      wanted,
      this.#space,
    );
    this.#readSingly += rows.length;
    for (const [chunk, vector] of rows) {
      // A slab may have had it already, under a chunk that belongs to the item only since.
      const old = this.#rowOf.get(chunk);
      if (old !== undefined) this.#release(old);
      this.#put(chunk, fromBytes(vector), dimensions);
    }
    this.#describe(items);
  }

  #describe(items: readonly number[]): void {
    const rows = this.#connection.rows<NarrowRow>(
      `SELECT ${NARROW} FROM visibility v WHERE v.item_key IN (SELECT value FROM json_each(?))`,
      JSON.stringify(items),
    );
    this.#readNarrow(rows, (row) => this.items[row] === FREE);
  }

  #readNarrow(narrow: readonly NarrowRow[], isNew: (row: number) => boolean): void {
    for (const [chunk, item, scope, flags, expiresAt, authoredAt, kind, source] of narrow) {
      const row = this.#rowOf.get(chunk);
      if (row === undefined) continue;
      if (isNew(row)) {
        this.next[row] = this.#heads.get(item) ?? NONE;
        this.#heads.set(item, row);
      }
      this.items[row] = item;
      this.scopes[row] = scope;
      this.flags[row] = flags;
      this.expiresAt[row] = expiresAt ?? Number.POSITIVE_INFINITY;
      this.authoredAt[row] = authoredAt;
      this.kinds[row] = kind;
      this.sources[row] = source ?? NO_SOURCE;
    }
  }

  /** A row of another width cannot be compared; the store refuses such vectors, a damaged file may hold one. */
  #put(chunk: number, vector: Float32Array, dimensions: number): void {
    if (vector.length !== dimensions) return;
    const row = this.#take(chunk, dimensions);
    this.#matrix!.set(row, vector);
  }

  #take(chunk: number, dimensions: number): number {
    this.#matrix ??= new QuantisedMatrix(wasmKernel() ?? plainKernel(), dimensions, this.#signsFromBytes);
    const row = this.#free.pop() ?? this.#used++;
    if (row >= this.chunks.length) this.#grow(row + 1);
    this.chunks[row] = chunk;
    this.items[row] = FREE;
    this.next[row] = NONE;
    this.#rowOf.set(chunk, row);
    return row;
  }

  #release(row: number): void {
    this.#rowOf.delete(this.chunks[row]!);
    this.chunks[row] = FREE;
    this.items[row] = FREE;
    this.#free.push(row);
  }

  #grow(rows: number): void {
    const length = Math.max(FIRST_ROWS, Math.ceil(rows * 1.5));
    const larger = <T extends Float64Array | Uint8Array | Int32Array>(make: (n: number) => T, old: T): T => {
      const made = make(length);
      made.set(old);
      return made;
    };
    const numbers = (n: number) => new Float64Array(n);
    const bytes = (n: number) => new Uint8Array(n);
    this.chunks = larger(numbers, this.chunks);
    this.items = larger(numbers, this.items);
    this.authoredAt = larger(numbers, this.authoredAt);
    this.expiresAt = larger(numbers, this.expiresAt);
    this.scopes = larger(numbers, this.scopes);
    this.sources = larger(numbers, this.sources);
    this.flags = larger(bytes, this.flags);
    this.kinds = larger(bytes, this.kinds);
    this.next = larger((n) => new Int32Array(n), this.next);
  }
}
