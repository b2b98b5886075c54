// AssemblyScript: compiled to WebAssembly with SIMD at build. Memory comes from outside and is laid out by the caller;
// every address here is given. Rows are int8 with one float scale each, `width` bytes long, a multiple of 16 (padded
// with zeros); a query is int16 of the same width. A score is the integer dot product times the row's scale.

/** The best rows so far: a binary heap of (score f32, row u32) with the worst of them at the root. */
let heap: usize = 0;
let capacity: i32 = 0;
let count: i32 = 0;
/** What a row must exceed to get in; nothing is turned away before the heap is full. */
let threshold: f32 = -Infinity;

export function startHeap(address: usize, rows: i32): void {
  heap = address;
  capacity = rows;
  count = 0;
  threshold = -Infinity;
}

export function heapCount(): i32 {
  return count;
}

function put(slot: i32, score: f32, row: u32): void {
  store<f32>(heap + (slot << 3), score);
  store<u32>(heap + (slot << 3) + 4, row);
}

function scoreAt(slot: i32): f32 {
  return load<f32>(heap + (slot << 3));
}

function rowAt(slot: i32): u32 {
  return load<u32>(heap + (slot << 3) + 4);
}

function offer(score: f32, row: u32): void {
  if (count < capacity) {
    let slot = count++;
    while (slot > 0) {
      const parent = (slot - 1) >> 1;
      if (scoreAt(parent) <= score) break;
      put(slot, scoreAt(parent), rowAt(parent));
      slot = parent;
    }
    put(slot, score, row);
    if (count === capacity) threshold = scoreAt(0);
    return;
  }
  let slot = 0;
  for (;;) {
    let child = 2 * slot + 1;
    if (child >= count) break;
    if (child + 1 < count && scoreAt(child + 1) < scoreAt(child)) child++;
    if (scoreAt(child) >= score) break;
    put(slot, scoreAt(child), rowAt(child));
    slot = child;
  }
  put(slot, score, row);
  threshold = scoreAt(0);
}

/** Whether the bit of a row is set; address 0 stands for all ones. */
function isWanted(bits: usize, row: u32): bool {
  return bits === 0 || (load<u8>(bits + (row >> 3)) & (1 << (row & 7))) !== 0;
}

/** The four sums of the lanes of a, b, c and d. */
function sums(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(i32x4.shuffle(a, b, 0, 4, 1, 5), i32x4.shuffle(a, b, 2, 6, 3, 7));
  const cd = i32x4.add(i32x4.shuffle(c, d, 0, 4, 1, 5), i32x4.shuffle(c, d, 2, 6, 3, 7));
  return i32x4.add(i32x4.shuffle(ab, cd, 0, 1, 4, 5), i32x4.shuffle(ab, cd, 2, 3, 6, 7));
}

function dotOne(row: usize, query: usize, width: usize): i32 {
  let a = i32x4.splat(0);
  let b = a;
  for (let i: usize = 0; i < width; i += 16) {
    a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load_ext<i8>(row + i), v128.load(query + (i << 1))));
    b = i32x4.add(b, i32x4.dot_i16x8_s(v128.load_ext<i8>(row + i + 8), v128.load(query + (i << 1) + 16)));
  }
  a = i32x4.add(a, b);
  return (
    i32x4.extract_lane(a, 0) + i32x4.extract_lane(a, 1) + i32x4.extract_lane(a, 2) + i32x4.extract_lane(a, 3)
  );
}

/** Offers the rows of one block: `rows` of them, the first called `first`. */
export function scanBlock(
  vectors: usize,
  scales: usize,
  bits: usize,
  rows: u32,
  first: u32,
  width: usize,
  query: usize,
): void {
  let row: u32 = 0;
  let p0 = vectors;
  for (; row + 4 <= rows; row += 4) {
    const p1 = p0 + width;
    const p2 = p1 + width;
    const p3 = p2 + width;
    let a = i32x4.splat(0);
    let b = a;
    let c = a;
    let d = a;
    for (let i: usize = 0; i < width; i += 16) {
      const low = v128.load(query + (i << 1));
      const high = v128.load(query + (i << 1) + 16);
      a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load_ext<i8>(p0 + i), low));
      b = i32x4.add(b, i32x4.dot_i16x8_s(v128.load_ext<i8>(p1 + i), low));
      c = i32x4.add(c, i32x4.dot_i16x8_s(v128.load_ext<i8>(p2 + i), low));
      d = i32x4.add(d, i32x4.dot_i16x8_s(v128.load_ext<i8>(p3 + i), low));
      a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load_ext<i8>(p0 + i + 8), high));
      b = i32x4.add(b, i32x4.dot_i16x8_s(v128.load_ext<i8>(p1 + i + 8), high));
      c = i32x4.add(c, i32x4.dot_i16x8_s(v128.load_ext<i8>(p2 + i + 8), high));
      d = i32x4.add(d, i32x4.dot_i16x8_s(v128.load_ext<i8>(p3 + i + 8), high));
    }
    const scores = f32x4.mul(f32x4.convert_i32x4_s(sums(a, b, c, d)), v128.load(scales + (row << 2)));
    if (v128.any_true(f32x4.gt(scores, f32x4.splat(threshold)))) {
      consider(f32x4.extract_lane(scores, 0), bits, row, first);
      consider(f32x4.extract_lane(scores, 1), bits, row + 1, first);
      consider(f32x4.extract_lane(scores, 2), bits, row + 2, first);
      consider(f32x4.extract_lane(scores, 3), bits, row + 3, first);
    }
    p0 = p3 + width;
  }
  for (; row < rows; row++) {
    consider(<f32>dotOne(p0, query, width) * load<f32>(scales + (row << 2)), bits, row, first);
    p0 += width;
  }
}

function consider(score: f32, bits: usize, row: u32, first: u32): void {
  if (score > threshold && isWanted(bits, row)) offer(score, first + row);
}

/** Where a row lies: blocks of 1,024 rows, each `stride` bytes, vectors first and the scales after them. */
function scoreOf(row: u32, base: usize, stride: usize, width: usize, query: usize): f32 {
  const block = base + <usize>(row >> 10) * stride;
  const at = <usize>(row & 1023);
  return <f32>dotOne(block + at * width, query, width) * load<f32>(block + (width << 10) + (at << 2));
}

/** Offers the rows of a list. */
export function scanList(rows: usize, n: u32, base: usize, stride: usize, width: usize, query: usize): void {
  for (let i: u32 = 0; i < n; i++) {
    const row = load<u32>(rows + (i << 2));
    const score = scoreOf(row, base, stride, width, query);
    if (score > threshold) offer(score, row);
  }
}

/** Writes the scores of the rows of a list. */
export function scoreList(
  rows: usize,
  n: u32,
  base: usize,
  stride: usize,
  width: usize,
  query: usize,
  scores: usize,
): void {
  for (let i: u32 = 0; i < n; i++) {
    store<f32>(scores + (i << 2), scoreOf(load<u32>(rows + (i << 2)), base, stride, width, query));
  }
}

/**
 * Writes the signs of a row's differences from the mean, one bit a dimension, into its group of 32 rows, and its factor:
 * row − mean ≈ factor × signs, with the factor that keeps the product with the row itself right. In a group the 4 bits
 * of 4 dimensions are a nibble; a byte holds those of rows r and r + 16, and 16 bytes the 4 dimensions of all 32 rows.
 */
export function encodeSigns(
  vector: usize,
  scale: f32,
  mean: usize,
  width: usize,
  group: usize,
  place: u32,
  factor: usize,
): void {
  const shift: u8 = place < 16 ? 0 : 4;
  const column = group + <usize>(place & 15);
  const scales = f32x4.splat(scale);
  const none = f32x4.splat(0);
  let squares = none;
  let sum = none;
  for (let i: usize = 0; i < width; i += 8) {
    const numbers = v128.load_ext<i8>(vector + i);
    const left = f32x4.sub(
      f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(numbers)), scales),
      v128.load(mean + (i << 2)),
    );
    const right = f32x4.sub(
      f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(numbers)), scales),
      v128.load(mean + (i << 2) + 16),
    );
    setNibble(column + (i << 2), <u8>i32x4.bitmask(f32x4.gt(left, none)), shift);
    setNibble(column + (i << 2) + 16, <u8>i32x4.bitmask(f32x4.gt(right, none)), shift);
    squares = f32x4.add(f32x4.add(squares, f32x4.mul(left, left)), f32x4.mul(right, right));
    sum = f32x4.add(f32x4.add(sum, f32x4.abs(left)), f32x4.abs(right));
  }
  const total = lanes(sum);
  store<f32>(factor, total > 0 ? lanes(squares) / total : 0);
}

function setNibble(cell: usize, nibble: u8, shift: u8): void {
  store<u8>(cell, (load<u8>(cell) & ~((<u8>15) << shift)) | (nibble << shift));
}

function lanes(values: v128): f32 {
  return (
    f32x4.extract_lane(values, 0) +
    f32x4.extract_lane(values, 1) +
    (f32x4.extract_lane(values, 2) + f32x4.extract_lane(values, 3))
  );
}

/**
 * Offers the rows of one block by their signs: factor × (step × sum + offset), where the sum is over the entries of a
 * table, 16 bytes (each at most 63) for every 4 dimensions. Rows beyond `rows` in the last group of 32 have no bit set.
 */
export function scanSigns(
  signs: usize,
  factors: usize,
  bits: usize,
  rows: u32,
  first: u32,
  width: usize,
  table: usize,
  step: f32,
  offset: f32,
): void {
  const low = i8x16.splat(15);
  const steps = f32x4.splat(step);
  const offsets = f32x4.splat(offset);
  const groupBytes = width << 2;
  let group = signs;
  for (let row: u32 = 0; row < rows; row += 32) {
    let a = i16x8.splat(0);
    let b = a;
    let c = a;
    let d = a;
    for (let i: usize = 0; i < groupBytes; ) {
      let s = i8x16.splat(0);
      let t = s;
      // Four entries of at most 63 fit a byte.
      for (const end = i + 64; i < end; i += 16) {
        const cells = v128.load(group + i);
        const entries = v128.load(table + i);
        s = i8x16.add(s, i8x16.swizzle(entries, v128.and(cells, low)));
        t = i8x16.add(t, i8x16.swizzle(entries, i8x16.shr_u(cells, 4)));
      }
      a = i16x8.add(a, i16x8.extend_low_i8x16_u(s));
      b = i16x8.add(b, i16x8.extend_high_i8x16_u(s));
      c = i16x8.add(c, i16x8.extend_low_i8x16_u(t));
      d = i16x8.add(d, i16x8.extend_high_i8x16_u(t));
    }
    offerEight(a, factors, bits, row, first, steps, offsets);
    offerEight(b, factors, bits, row + 8, first, steps, offsets);
    offerEight(c, factors, bits, row + 16, first, steps, offsets);
    offerEight(d, factors, bits, row + 24, first, steps, offsets);
    group += groupBytes;
  }
}

function offerEight(
  sums: v128,
  factors: usize,
  bits: usize,
  row: u32,
  first: u32,
  steps: v128,
  offsets: v128,
): void {
  const at = factors + (row << 2);
  const left = f32x4.mul(
    v128.load(at),
    f32x4.add(f32x4.mul(steps, f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(sums))), offsets),
  );
  const right = f32x4.mul(
    v128.load(at + 16),
    f32x4.add(f32x4.mul(steps, f32x4.convert_i32x4_u(i32x4.extend_high_i16x8_u(sums))), offsets),
  );
  const least = f32x4.splat(threshold);
  if (!v128.any_true(v128.or(f32x4.gt(left, least), f32x4.gt(right, least)))) return;
  consider(f32x4.extract_lane(left, 0), bits, row, first);
  consider(f32x4.extract_lane(left, 1), bits, row + 1, first);
  consider(f32x4.extract_lane(left, 2), bits, row + 2, first);
  consider(f32x4.extract_lane(left, 3), bits, row + 3, first);
  consider(f32x4.extract_lane(right, 0), bits, row + 4, first);
  consider(f32x4.extract_lane(right, 1), bits, row + 5, first);
  consider(f32x4.extract_lane(right, 2), bits, row + 6, first);
  consider(f32x4.extract_lane(right, 3), bits, row + 7, first);
}
