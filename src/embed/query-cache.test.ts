import { describe, expect, it } from 'vitest';
import { QueryCache } from './query-cache.js';

describe('QueryCache', () => {
  it('gives back the vector of the same text in the same space only', () => {
    const cache = new QueryCache();
    cache.set('space a', 'kiln', Float32Array.of(1, 0));
    expect(cache.get('space a', 'kiln')).toEqual(Float32Array.of(1, 0));
    expect(cache.get('space b', 'kiln')).toBeUndefined();
    expect(cache.get('space a', 'Kiln')).toBeUndefined();
  });

  it('does not take one pair of space and text for another', () => {
    const cache = new QueryCache();
    cache.set('a', 'b:c', Float32Array.of(1));
    expect(cache.get('a:b', 'c')).toBeUndefined();
  });

  it('is not changed by what callers do to their vectors', () => {
    const cache = new QueryCache();
    const given = Float32Array.of(1, 0);
    cache.set('s', 'kiln', given);
    given.fill(9);
    cache.get('s', 'kiln')?.fill(8);
    expect(cache.get('s', 'kiln')).toEqual(Float32Array.of(1, 0));
  });

  it('forgets what was used longest ago, and keeps within its bytes', () => {
    const cache = new QueryCache({ maxBytes: 3 * (400 + 2 * 5) });
    const vector = new Float32Array(100).fill(1);
    for (const text of ['x', 'y', 'z']) cache.set('s', text, vector);
    cache.get('s', 'x');
    cache.set('s', 'w', vector);
    expect(['x', 'y', 'z', 'w'].filter((text) => cache.get('s', text))).toEqual(['x', 'z', 'w']);
    cache.clear();
    expect(cache.get('s', 'x')).toBeUndefined();
  });
});
