import { expect, it } from 'vitest';
import { latencyOf } from './latency.js';

it('takes median and 95th percentile by nearest rank, in whatever order the times come', () => {
  const times = Array.from({ length: 100 }, (_, i) => ((i * 37) % 100) + 1);
  expect(latencyOf(times)).toEqual({ p50: 50, p95: 95 });
});

it('gives the only time for both', () => {
  expect(latencyOf([7])).toEqual({ p50: 7, p95: 7 });
});

it('gives zeros for no time', () => {
  expect(latencyOf([])).toEqual({ p50: 0, p95: 0 });
});
