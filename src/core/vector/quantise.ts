/** Largest magnitude of an int8 number here; −128 is not used, so that signs are alike. */
const INT8_MAX = 127;
const INT16_MAX = 32_767;
const INT32_MAX = 2_147_483_647;

/**
 * Writes a vector as int8 and returns its scale: value ≈ number × scale. Each vector has a scale of its own: with one
 * for all, values beyond it are clipped, and recall suffers.
 */
export function quantise(vector: ArrayLike<number>, into: Int8Array): number {
  let largest = 0;
  for (let i = 0; i < vector.length; i++) {
    const size = Math.abs(vector[i]!);
    if (size > largest) largest = size;
  }
  if (!(largest > 0)) {
    into.fill(0);
    return 0;
  }
  const factor = INT8_MAX / largest;
  for (let i = 0; i < vector.length; i++) into[i] = Math.round(vector[i]! * factor);
  return Math.fround(largest / INT8_MAX);
}

/** The same for a query, as int16: as fine as the sum of `into.length` products with int8 numbers fits 32 bits. */
export function quantiseQuery(vector: ArrayLike<number>, into: Int16Array): number {
  let largest = 0;
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i]!));
  into.fill(0);
  if (!(largest > 0)) return 0;
  const most = Math.min(INT16_MAX, Math.floor(INT32_MAX / (INT8_MAX * into.length)));
  for (let i = 0; i < vector.length; i++) into[i] = Math.round((vector[i]! / largest) * most);
  return largest / most;
}
