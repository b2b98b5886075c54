import { describe, expect, it } from 'vitest';
import { toTime } from './time.js';

describe('instants', () => {
  it('are epoch milliseconds, whatever form they come in', () => {
    const time = Date.UTC(2031, 6, 19, 8, 30);
    expect(toTime(time, 'at')).toBe(time);
    expect(toTime(new Date(time), 'at')).toBe(time);
    expect(toTime('2031-07-19T10:30:00+02:00', 'at')).toBe(time);
    expect(toTime('2031-07-19 08:30Z', 'at')).toBe(time);
    expect(toTime('2031-07-19', 'at')).toBe(Date.UTC(2031, 6, 19));
    expect(toTime(0, 'at')).toBe(0);
  });

  it('without an offset are refused, since they mean another instant on another machine (M06)', () => {
    expect(() => toTime('2031-03-30T01:30', 'createdAt')).toThrow(
      /createdAt has a time but no offset: "2031-03-30T01:30"/,
    );
  });

  it.each([
    'yesterday',
    '',
    '2031-13-45',
    '2031-02-30',
    '2031-02-30T10:00Z',
    'Tue Jul 19 2031',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    9e15,
    new Date(Number.NaN),
  ])('%s is refused by name', (value) => {
    expect(() => toTime(value, 'occurredAt')).toThrow(/occurredAt/);
  });
});
