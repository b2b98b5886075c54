import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addFilterFlags, choices, jsonObject, number, repeat, wholeNumber } from './flags.js';

describe('flag values', () => {
  it('collect when a flag is repeated', () => {
    expect(repeat('b', repeat('a', undefined))).toEqual(['a', 'b']);
  });

  it('are whole numbers within bounds, or refused', () => {
    const parse = wholeNumber(1, 1000);
    expect(['1', '1000', ' 7 ', '+3'].map(parse)).toEqual([1, 1000, 7, 3]);
    for (const bad of ['', '0', '1001', '-1', '1.5', '1e2', '0x10', 'abc', '5 6', 'NaN', 'Infinity']) {
      expect(() => parse(bad), bad).toThrow('It must be a whole number from 1 to 1000.');
    }
  });

  it('are numbers within bounds, or refused', () => {
    const parse = number(0, 1);
    expect(['0', '1', '.5', '1e-3'].map(parse)).toEqual([0, 1, 0.5, 0.001]);
    for (const bad of ['', ' ', '1.1', '-0.1', 'half', 'NaN']) {
      expect(() => parse(bad), bad).toThrow('It must be a number from 0 to 1.');
    }
  });

  it('are JSON objects, or refused', () => {
    expect(jsonObject('{"a":[1]}')).toEqual({ a: [1] });
    for (const bad of ['', '{bad', '[1]', 'null', '"text"', '3']) {
      expect(() => jsonObject(bad), bad).toThrow('It must be a JSON object.');
    }
  });

  it('are one of a few words, or refused with the words', () => {
    const parse = choices('--size <size>', 'size', ['small', 'large']).parseArg;
    expect(parse?.('large', ['small'])).toEqual(['small', 'large']);
    expect(() => parse?.('huge', undefined)).toThrow('It must be one of small, large.');
  });
});

describe('filter flags', () => {
  it('parse into lists', () => {
    const args = [
      '--kind',
      'note',
      '--kind',
      'memory',
      '--tag',
      'a',
      '--include',
      'archived',
      '--after',
      '2031-07-19',
    ];
    const command = addFilterFlags(new Command('list')).parse(args, { from: 'user' });
    expect(command.opts()).toEqual({
      kind: ['note', 'memory'],
      tag: ['a'],
      include: ['archived'],
      after: '2031-07-19',
    });
  });
});
