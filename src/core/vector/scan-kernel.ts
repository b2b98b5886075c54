/**
 * The inner loops of vector search, over one memory that the caller lays out. Addresses are bytes into `buffer`. Rows are
 * int8 with one float32 scale each, `width` bytes long (a multiple of 16, padded with zeros); a query is int16 of the
 * same width. The score of a row is its integer dot product with the query times its scale, in float32; both
 * implementations give the same bits.
 */
export interface ScanKernel {
  readonly name: 'wasm' | 'plain';
  /** Another object after `reserve` made it larger. */
  readonly buffer: ArrayBuffer;
  /** Makes the memory at least so long; what is new is zero. Throws RangeError where that much cannot be had. */
  reserve(bytes: number): void;
  /** Starts a heap of the best `rows` rows at an address: pairs of score (f32) and row (u32), in no order. */
  startHeap(address: number, rows: number): void;
  heapCount(): number;
  /** Offers the rows of a block, the first of which is called `first`. `bits` 0 stands for all of them. */
  scanBlock(
    vectors: number,
    scales: number,
    bits: number,
    rows: number,
    first: number,
    width: number,
    query: number,
  ): void;
  /** Offers the rows of a list (u32) that lie in blocks of 1,024 rows: vectors, then scales, `stride` bytes a block. */
  scanList(rows: number, count: number, base: number, stride: number, width: number, query: number): void;
  /** Writes the scores (f32) of the rows of a list. */
  scoreList(
    rows: number,
    count: number,
    base: number,
    stride: number,
    width: number,
    query: number,
    scores: number,
  ): void;
  /** Writes signs and factor of a row that differs from `mean` (f32), at a place of its group of 32. */
  encodeSigns(
    vector: number,
    scale: number,
    mean: number,
    width: number,
    group: number,
    place: number,
    factor: number,
  ): void;
  /** Offers the rows of a block by their signs; the score is factor × (step × sum of table entries + offset). */
  scanSigns(
    signs: number,
    factors: number,
    bits: number,
    rows: number,
    first: number,
    width: number,
    table: number,
    step: number,
    offset: number,
  ): void;
}

/** Rows of one block. */
export const BLOCK_ROWS = 1024;
