/**
 * A copy of a vector of finite numbers at length 1; null for one of zeros, which has no direction. Components are
 * brought to at most 1 first: the squares of very large or small ones would overflow or vanish.
 */
export function unitVector(values: ArrayLike<number>): Float32Array | null {
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]!));
  if (!(largest > 0)) return null;
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (values[i]! / largest) ** 2;
  const length = Math.sqrt(sum);
  return Float32Array.from(values, (value) => value / largest / length);
}
