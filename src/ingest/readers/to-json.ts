import type { Json } from '../../contracts/index.js';

const MAX_DEPTH = 20;
const MAX_NODES = 10_000;

/**
 * A value as JSON can hold it: dates become ISO 8601, big integers decimal strings; what has no form in JSON
 * becomes null.
 *
 * @throws RangeError for a value that is too deep or too large to be metadata, or that contains itself.
 */
export function toJson(value: unknown): Json {
  let nodes = 0;
  const convert = (inner: unknown, depth: number): Json => {
    if (++nodes > MAX_NODES || depth > MAX_DEPTH) throw new RangeError('The metadata is too large.');
    if (inner instanceof Date) return Number.isNaN(inner.getTime()) ? null : inner.toISOString();
    if (Array.isArray(inner)) return inner.map((entry) => convert(entry, depth + 1));
    switch (typeof inner) {
      case 'string':
        return inner.toWellFormed();
      case 'boolean':
        return inner;
      case 'number':
        return Number.isFinite(inner) ? inner : null;
      case 'bigint':
        return inner.toString();
      case 'object':
        if (inner === null) return null;
        // fromEntries defines properties, so that a key named __proto__ is a key like any other.
        return Object.fromEntries(
          Object.entries(inner).map(([key, entry]) => [key.toWellFormed(), convert(entry, depth + 1)]),
        );
      default:
        return null;
    }
  };
  return convert(value, 0);
}
