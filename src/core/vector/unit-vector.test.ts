import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unitVector } from './unit-vector.js';

it('a vector of any finite numbers that are not all zero becomes one of length 1 in the same direction', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 8 }),
      (values) => {
        const unit = unitVector(values);
        if (values.every((value) => value === 0)) {
          expect(unit).toBeNull();
          return;
        }
        expect(Math.hypot(...unit!)).toBeCloseTo(1, 5);
        const largest = values.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a));
        const place = values.indexOf(largest);
        expect(Math.sign(unit![place]!)).toBe(Math.sign(largest));
        values.forEach((value, i) => {
          expect(unit![i]! / unit![place]!).toBeCloseTo(value / largest, 5);
        });
      },
    ),
  );
});

it.each([[1e300], [1e-300], [5e-324], [Number.MAX_VALUE]])('%d is 1 long', (value) => {
  expect(unitVector([value, 0])).toEqual(Float32Array.of(1, 0));
});

it('zeros, of either sign, and nothing have no direction', () => {
  expect(unitVector([0, -0])).toBeNull();
  expect(unitVector([])).toBeNull();
});

it('gives a copy', () => {
  const given = Float32Array.of(3, 4);
  unitVector(given)![0] = 9;
  expect([...given]).toEqual([3, 4]);
});
