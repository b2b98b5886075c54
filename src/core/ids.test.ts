import { describe, expect, it } from 'vitest';
import { toId, uuidv7 } from './ids.js';

describe('ids', () => {
  it('are text; safe integers and bigints become their exact decimals', () => {
    expect(toId('a b', 'id')).toBe('a b');
    expect(toId(42, 'id')).toBe('42');
    expect(toId(-0, 'id')).toBe('0');
    expect(toId(2n ** 64n, 'id')).toBe('18446744073709551616');
  });

  it.each([1.5, 2 ** 53, Number.NaN, '\ud800', 'x'.repeat(513)])('%s is refused', (value) => {
    expect(() => toId(value, 'user')).toThrow(/user/);
  });

  it('new ones are UUIDs of version 7 that sort by time', () => {
    const ids = [5, 1_000, 1_800_000_000_000].map((time) => uuidv7(time));
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(Array.from({ length: 1000 }, () => uuidv7(0))).size).toBe(1000);
  });
});
