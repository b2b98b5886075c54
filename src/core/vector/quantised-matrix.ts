import { quantise, quantiseQuery } from './quantise.js';
import { BLOCK_ROWS, type ScanKernel } from './scan-kernel.js';

/** Which rows take part. `bits` has a bit a row, the lowest of each byte first; `list` the same rows where they are few. */
export interface RowSet {
  bits: Uint8Array;
  count: number;
  list: Uint32Array | null;
}

/** Rows and their cosines (of the quantised vectors), best first; equals in the order of the rows. */
export interface Nearest {
  rows: Uint32Array;
  cosines: Float32Array;
}

/** Numbers of a row are padded to a multiple of this. */
const LANES = 16;
/** Rows of a list that are scored in one call. */
const LIST_ROWS = 16_384;
/** Rows that one scan can return. */
const HEAP_ROWS = 65_536;
/** Below this share of the rows a list is faster than a scan of all of them. */
const LIST_SHARE = 1 / 6;
/** The table of a signs scan has 63 steps: four of them fit a byte. */
const TABLE_MAX = 63;
/** Beyond this width the sums of a signs scan would not fit 16 bits. */
const MAX_SIGNS_WIDTH = 4096;
/** Rows from which the mean is taken. */
const MEAN_ROWS = 10_000;

/**
 * Unit vectors of one width as int8 with a scale each, in blocks of 1,024 rows: vectors, scales, and, once there are
 * more of them than a processor's cache holds, their signs, one bit a number, which find the rows worth looking at.
 */
export class QuantisedMatrix {
  readonly dimensions: number;
  readonly width: number;
  readonly #kernel: ScanKernel;
  readonly #signsFromBytes: number;
  readonly #base: number;
  readonly #stride: number;
  /** Where things lie: query, table, mean, list, scores, heap; then inside a block. */
  readonly #at: { query: number; table: number; mean: number; list: number; scores: number; heap: number };
  readonly #in: { scales: number; bits: number; factors: number; signs: number };
  #rows = 0;
  #hasSigns = false;

  /** With `signsFromBytes` bytes of vectors and more, a scan of signs goes before. */
  constructor(kernel: ScanKernel, dimensions: number, signsFromBytes: number) {
    this.#kernel = kernel;
    this.dimensions = dimensions;
    this.#signsFromBytes = signsFromBytes;
    const width = Math.ceil(dimensions / LANES) * LANES;
    this.width = width;
    let end = LANES;
    const place = (bytes: number) => {
      const at = end;
      end += Math.ceil(bytes / LANES) * LANES;
      return at;
    };
    this.#at = {
      query: place(width * 2),
      table: place(width * 4),
      mean: place(width * 4),
      list: place(LIST_ROWS * 4),
      scores: place(LIST_ROWS * 4),
      heap: place(HEAP_ROWS * 8),
    };
    this.#base = end;
    end = 0;
    place(width * BLOCK_ROWS);
    this.#in = {
      scales: place(BLOCK_ROWS * 4),
      bits: place(BLOCK_ROWS / 8),
      factors: place(BLOCK_ROWS * 4),
      signs: place((BLOCK_ROWS * width) / 8),
    };
    this.#stride = end;
  }

  /** One more than the highest row that was set. */
  get rows(): number {
    return this.#rows;
  }

  /** Bytes of memory a vector, rounded up. */
  get bytesPerVector(): number {
    return Math.ceil(this.#stride / BLOCK_ROWS);
  }

  get bytes(): number {
    return this.#kernel.buffer.byteLength;
  }

  get scansSigns(): boolean {
    return this.#hasSigns;
  }

  set(row: number, vector: ArrayLike<number>): void {
    this.#reserve(row);
    const scale = quantise(vector, this.#vector(row));
    this.#setScale(row, scale);
  }

  /** Sets a row from numbers that are quantised already. */
  setQuantised(row: number, numbers: Int8Array, scale: number): void {
    this.#reserve(row);
    this.#vector(row).set(numbers);
    this.#setScale(row, scale);
  }

  /** A view that is valid until the next row is set, and the scale. */
  get(row: number): { numbers: Int8Array; scale: number } {
    return {
      numbers: this.#vector(row),
      scale: new Float32Array(this.#kernel.buffer, this.#scale(row), 1)[0]!,
    };
  }

  /**
   * The `limit` rows nearest to a unit vector, at most 65,536. Below the size at which signs go first it is exact over
   * the quantised vectors; above, over the `max(500, 3 × limit)` rows that the signs put first.
   */
  nearest(query: Float32Array, limit: number, wanted: RowSet): Nearest {
    if (this.#rows === 0 || wanted.count === 0)
      return { rows: new Uint32Array(), cosines: new Float32Array() };
    const unit = quantiseQuery(query, new Int16Array(this.#kernel.buffer, this.#at.query, this.width));
    const rows = Math.min(limit, HEAP_ROWS, wanted.count);
    if (wanted.list !== null && wanted.count < this.#rows * LIST_SHARE) {
      this.#kernel.startHeap(this.#at.heap, rows);
      this.#scanList(wanted.list);
      return this.#heap(unit);
    }
    if (this.#signsFromBytes <= this.#rows * this.width && this.width <= MAX_SIGNS_WIDTH) {
      const first = Math.max(500, 3 * rows);
      if (first < HEAP_ROWS) {
        if (!this.#hasSigns) this.#makeSigns();
        this.#scanSigns(query, first, wanted);
        const list = this.#heap(1).rows.sort();
        this.#kernel.startHeap(this.#at.heap, rows);
        this.#scanList(list);
        return this.#heap(unit);
      }
    }
    this.#kernel.startHeap(this.#at.heap, rows);
    for (let first = 0; first < this.#rows; first += BLOCK_ROWS) {
      const block = this.#block(first);
      this.#kernel.scanBlock(
        block,
        block + this.#in.scales,
        this.#setBits(block, first, wanted),
        Math.min(BLOCK_ROWS, this.#rows - first),
        first,
        this.width,
        this.#at.query,
      );
    }
    return this.#heap(unit);
  }

  /** The cosines of given rows, in their order. */
  cosines(query: Float32Array, rows: Uint32Array): Float32Array {
    const unit = quantiseQuery(query, new Int16Array(this.#kernel.buffer, this.#at.query, this.width));
    const cosines = new Float32Array(rows.length);
    const { buffer } = this.#kernel;
    for (let from = 0; from < rows.length; from += LIST_ROWS) {
      const part = rows.subarray(from, from + LIST_ROWS);
      new Uint32Array(buffer, this.#at.list, part.length).set(part);
      this.#kernel.scoreList(
        this.#at.list,
        part.length,
        this.#base,
        this.#stride,
        this.width,
        this.#at.query,
        this.#at.scores,
      );
      cosines.set(new Float32Array(buffer, this.#at.scores, part.length), from);
    }
    for (let i = 0; i < cosines.length; i++) cosines[i]! *= unit;
    return cosines;
  }

  #scanList(rows: Uint32Array): void {
    for (let from = 0; from < rows.length; from += LIST_ROWS) {
      const part = rows.subarray(from, from + LIST_ROWS);
      new Uint32Array(this.#kernel.buffer, this.#at.list, part.length).set(part);
      this.#kernel.scanList(this.#at.list, part.length, this.#base, this.#stride, this.width, this.#at.query);
    }
  }

  /**
   * The estimate is that of RaBitQ with unrotated signs of the difference from the mean: query · row ≈ query · mean +
   * factor × Σ ±query, and the first part is the same for all rows.
   */
  #scanSigns(query: Float32Array, rows: number, wanted: RowSet): void {
    const { step, offset } = this.#fillTable(query);
    this.#kernel.startHeap(this.#at.heap, rows);
    for (let first = 0; first < this.#rows; first += BLOCK_ROWS) {
      const block = this.#block(first);
      this.#kernel.scanSigns(
        block + this.#in.signs,
        block + this.#in.factors,
        this.#setBits(block, first, wanted),
        Math.min(BLOCK_ROWS, this.#rows - first),
        first,
        this.width,
        this.#at.table,
        step,
        offset,
      );
    }
  }

  /** For each 4 numbers, what each pattern of signs adds: the magnitudes of those that are plus, twice, in steps. */
  #fillTable(query: Float32Array): { step: number; offset: number } {
    const table = new Uint8Array(this.#kernel.buffer, this.#at.table, this.width * 4);
    const sums = new Float64Array(16);
    let largest = 0;
    let total = 0;
    const groups = this.width / 4;
    const raw = new Float64Array(groups * 16);
    for (let group = 0; group < groups; group++) {
      let lowest = 0;
      sums.fill(0);
      for (let j = 0; j < 4; j++) {
        const value = query[group * 4 + j] ?? 0;
        for (let pattern = 0; pattern < 16; pattern++) sums[pattern]! += (pattern >> j) & 1 ? value : -value;
        lowest -= Math.abs(value);
      }
      total += lowest;
      for (let pattern = 0; pattern < 16; pattern++) {
        const entry = sums[pattern]! - lowest;
        raw[group * 16 + pattern] = entry;
        if (entry > largest) largest = entry;
      }
    }
    const step = largest / TABLE_MAX || 1;
    for (let i = 0; i < raw.length; i++) table[i] = Math.round(raw[i]! / step);
    return { step, offset: total };
  }

  #makeSigns(): void {
    const mean = new Float64Array(this.width);
    const every = Math.max(1, Math.floor(this.#rows / MEAN_ROWS));
    let count = 0;
    for (let row = 0; row < this.#rows; row += every) {
      const { numbers, scale } = this.get(row);
      if (scale === 0) continue;
      count++;
      for (let i = 0; i < this.dimensions; i++) mean[i]! += numbers[i]! * scale;
    }
    const stored = new Float32Array(this.#kernel.buffer, this.#at.mean, this.width);
    for (let i = 0; i < this.width; i++) stored[i] = count === 0 ? 0 : mean[i]! / count;
    for (let row = 0; row < this.#rows; row++) this.#encode(row, this.get(row).scale);
    this.#hasSigns = true;
  }

  #encode(row: number, scale: number): void {
    const block = this.#block(row);
    const at = row % BLOCK_ROWS;
    const place = at % 32;
    this.#kernel.encodeSigns(
      block + at * this.width,
      scale,
      this.#at.mean,
      this.width,
      block + this.#in.signs + ((at - place) * this.width) / 8,
      place,
      block + this.#in.factors + at * 4,
    );
  }

  /** What the heap holds, best first. */
  #heap(unit: number): Nearest {
    const count = this.#kernel.heapCount();
    const scores = new Float32Array(this.#kernel.buffer, this.#at.heap, count * 2);
    const names = new Uint32Array(this.#kernel.buffer, this.#at.heap, count * 2);
    const order = Array.from({ length: count }, (_, i) => i);
    order.sort((a, b) => scores[b * 2]! - scores[a * 2]! || names[a * 2 + 1]! - names[b * 2 + 1]!);
    const rows = new Uint32Array(count);
    const cosines = new Float32Array(count);
    for (const [i, at] of order.entries()) {
      rows[i] = names[at * 2 + 1]!;
      cosines[i] = scores[at * 2]! * unit;
    }
    return { rows, cosines };
  }

  #block(row: number): number {
    return this.#base + Math.floor(row / BLOCK_ROWS) * this.#stride;
  }

  #scale(row: number): number {
    return this.#block(row) + this.#in.scales + (row % BLOCK_ROWS) * 4;
  }

  #vector(row: number): Int8Array {
    const at = this.#block(row) + (row % BLOCK_ROWS) * this.width;
    return new Int8Array(this.#kernel.buffer, at, this.dimensions);
  }

  #setScale(row: number, scale: number): void {
    new Float32Array(this.#kernel.buffer, this.#scale(row), 1)[0] = scale;
    this.#rows = Math.max(this.#rows, row + 1);
    if (this.#hasSigns) this.#encode(row, scale);
  }

  /** Copies the bits of a block's rows to their place; returns it. */
  #setBits(block: number, first: number, wanted: RowSet): number {
    const at = block + this.#in.bits;
    const bytes = new Uint8Array(this.#kernel.buffer, at, BLOCK_ROWS / 8);
    const part = wanted.bits.subarray(first / 8, first / 8 + BLOCK_ROWS / 8);
    bytes.set(part);
    if (part.length < bytes.length) bytes.fill(0, part.length);
    return at;
  }

  #reserve(row: number): void {
    this.#kernel.reserve(this.#block(row) + this.#stride);
  }
}
