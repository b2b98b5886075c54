import { expect, it } from 'vitest';
import { parseRetryAfter } from './retry-after.js';

it.each([
  [null, undefined],
  ['', undefined],
  ['soon', undefined],
  ['2', 2000],
  ['0.5', 500],
  ['-3', 0],
  ['Thu, 01 Jan 1970 00:01:40 GMT', 90_000],
  ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
])('Retry-After: %s at second 10 is %s ms', (value, ms) => {
  expect(parseRetryAfter(value, 10_000)).toBe(ms);
});
