/** A copy of a vector at length 1; null for one of zeros, which has no direction. */
export function unitVector(values: ArrayLike<number>): Float32Array | null {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! * values[i]!;
  if (!(sum > 0)) return null;
  const scale = 1 / Math.sqrt(sum);
  return Float32Array.from(values, (value) => value * scale);
}
