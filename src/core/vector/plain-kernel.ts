import { BLOCK_ROWS, type ScanKernel } from './scan-kernel.js';

/** The kernel in plain TypeScript, for where WebAssembly or its SIMD is missing, and to compare the other with. */
export function plainKernel(): ScanKernel {
  return new PlainKernel();
}

class PlainKernel implements ScanKernel {
  readonly name = 'plain';
  buffer = new ArrayBuffer(0);
  #bytes = new Int8Array(this.buffer);
  #unsigned = new Uint8Array(this.buffer);
  #floats = new Float32Array(this.buffer);
  #words = new Uint32Array(this.buffer);
  #shorts = new Int16Array(this.buffer);
  #heap = 0;
  #capacity = 0;
  #count = 0;
  #threshold = Number.NEGATIVE_INFINITY;

  reserve(bytes: number): void {
    if (bytes <= this.buffer.byteLength) return;
    const buffer = new ArrayBuffer(Math.max(Math.ceil(bytes / 8) * 8, this.buffer.byteLength * 2));
    new Uint8Array(buffer).set(this.#unsigned);
    this.buffer = buffer;
    this.#bytes = new Int8Array(buffer);
    this.#unsigned = new Uint8Array(buffer);
    this.#floats = new Float32Array(buffer);
    this.#words = new Uint32Array(buffer);
    this.#shorts = new Int16Array(buffer);
  }

  startHeap(address: number, rows: number): void {
    this.#heap = address >> 2;
    this.#capacity = rows;
    this.#count = 0;
    this.#threshold = Number.NEGATIVE_INFINITY;
  }

  heapCount(): number {
    return this.#count;
  }

  scanBlock(
    vectors: number,
    scales: number,
    bits: number,
    rows: number,
    first: number,
    width: number,
    query: number,
  ): void {
    for (let row = 0; row < rows; row++) {
      const dot = this.#dot(vectors + row * width, query, width);
      this.#consider(Math.fround(Math.fround(dot) * this.#floats[(scales >> 2) + row]!), bits, row, first);
    }
  }

  scanList(rows: number, count: number, base: number, stride: number, width: number, query: number): void {
    for (let i = 0; i < count; i++) {
      const row = this.#words[(rows >> 2) + i]!;
      const score = this.#scoreOf(row, base, stride, width, query);
      if (score > this.#threshold) this.#offer(score, row);
    }
  }

  scoreList(
    rows: number,
    count: number,
    base: number,
    stride: number,
    width: number,
    query: number,
    scores: number,
  ): void {
    for (let i = 0; i < count; i++) {
      this.#floats[(scores >> 2) + i] = this.#scoreOf(
        this.#words[(rows >> 2) + i]!,
        base,
        stride,
        width,
        query,
      );
    }
  }

  encodeSigns(
    vector: number,
    scale: number,
    mean: number,
    width: number,
    group: number,
    place: number,
    factor: number,
  ): void {
    const { fround } = Math;
    const shift = place < 16 ? 0 : 4;
    // Four sums of every fourth number, as the other kernel has them: floats add up differently in another order.
    const squares = new Float32Array(4);
    const sum = new Float32Array(4);
    for (let i = 0; i < width; i += 4) {
      let nibble = 0;
      for (let j = 0; j < 4; j++) {
        const difference = fround(
          fround(this.#bytes[vector + i + j]! * fround(scale)) - this.#floats[(mean >> 2) + i + j]!,
        );
        if (difference > 0) nibble |= 1 << j;
        squares[j]! += fround(difference * difference);
        sum[j]! += Math.abs(difference);
      }
      const cell = group + (place & 15) + i * 4;
      this.#unsigned[cell] = (this.#unsigned[cell]! & ~(15 << shift)) | (nibble << shift);
    }
    const total = lanes(sum);
    this.#floats[factor >> 2] = total > 0 ? lanes(squares) / total : 0;
  }

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
  ): void {
    const { fround } = Math;
    for (let row = 0; row < Math.ceil(rows / 32) * 32; row++) {
      const place = row % 32;
      const shift = place < 16 ? 0 : 4;
      const column = signs + (row - place) * (width / 8) + (place & 15);
      let sum = 0;
      for (let i = 0; i < width * 4; i += 16)
        sum += this.#unsigned[table + i + ((this.#unsigned[column + i]! >> shift) & 15)]!;
      const score = fround(
        this.#floats[(factors >> 2) + row]! * fround(fround(fround(step) * sum) + fround(offset)),
      );
      this.#consider(score, bits, row, first);
    }
  }

  #scoreOf(row: number, base: number, stride: number, width: number, query: number): number {
    const block = base + Math.floor(row / BLOCK_ROWS) * stride;
    const at = row % BLOCK_ROWS;
    const dot = this.#dot(block + at * width, query, width);
    return Math.fround(Math.fround(dot) * this.#floats[(block + width * BLOCK_ROWS) / 4 + at]!);
  }

  /** Stays within 32 bits, since the query's numbers are bounded by the width. */
  #dot(row: number, query: number, width: number): number {
    const bytes = this.#bytes;
    const shorts = this.#shorts;
    const from = query >> 1;
    let a = 0;
    let b = 0;
    for (let i = 0; i < width; i += 2) {
      a += bytes[row + i]! * shorts[from + i]!;
      b += bytes[row + i + 1]! * shorts[from + i + 1]!;
    }
    return a + b;
  }

  #consider(score: number, bits: number, row: number, first: number): void {
    if (!(score > this.#threshold)) return;
    if (bits !== 0 && (this.#unsigned[bits + (row >> 3)]! & (1 << (row & 7))) === 0) return;
    this.#offer(score, first + row);
  }

  #put(slot: number, score: number, row: number): void {
    this.#floats[this.#heap + slot * 2] = score;
    this.#words[this.#heap + slot * 2 + 1] = row;
  }

  #move(from: number, to: number): void {
    this.#words[this.#heap + to * 2] = this.#words[this.#heap + from * 2]!;
    this.#words[this.#heap + to * 2 + 1] = this.#words[this.#heap + from * 2 + 1]!;
  }

  #scoreAt(slot: number): number {
    return this.#floats[this.#heap + slot * 2]!;
  }

  /** The heap of the other kernel step by step, so that among equal scores both keep the same rows. */
  #offer(score: number, row: number): void {
    let slot = 0;
    if (this.#count < this.#capacity) {
      slot = this.#count++;
      while (slot > 0) {
        const parent = (slot - 1) >> 1;
        if (this.#scoreAt(parent) <= score) break;
        this.#move(parent, slot);
        slot = parent;
      }
      this.#put(slot, score, row);
      if (this.#count === this.#capacity) this.#threshold = this.#scoreAt(0);
      return;
    }
    for (;;) {
      let child = 2 * slot + 1;
      if (child >= this.#count) break;
      if (child + 1 < this.#count && this.#scoreAt(child + 1) < this.#scoreAt(child)) child++;
      if (this.#scoreAt(child) >= score) break;
      this.#move(child, slot);
      slot = child;
    }
    this.#put(slot, score, row);
    this.#threshold = this.#scoreAt(0);
  }
}

function lanes([a, b, c, d]: Float32Array): number {
  return Math.fround(Math.fround(a! + b!) + Math.fround(c! + d!));
}
