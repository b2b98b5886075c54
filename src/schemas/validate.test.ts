import { describe, expect, it } from 'vitest';
import { CorvidError } from '../errors.js';
import { nearest, newItem, searchOptions, validate } from './index.js';

function failure(call: () => unknown): CorvidError {
  try {
    call();
  } catch (error) {
    expect(error).toBeInstanceOf(CorvidError);
    return error as CorvidError;
  }
  throw new Error('nothing was thrown');
}

const search = (o: unknown) => failure(() => validate(searchOptions, o, 'search options'));

describe('validation', () => {
  it('a misspelt option is answered with the nearest right one, also inside', () => {
    expect(search({ limmit: 3 })).toMatchObject({
      code: 'unknown-option',
      message: 'search options has no option "limmit".',
      hint: 'Did you mean "limit"?',
    });
    expect(search({ filter: { kind: ['memory'] } }).hint).toBe('Did you mean "kinds"?');
    expect(search({ viewer: { rooom: 'x' } }).hint).toBe('Did you mean "rooms"?');
    expect(search({ fusion: { name: 'rrf', kk: 1 } }).hint).toBe('Did you mean "k"?');
  });

  it('an option like none is answered with what there is', () => {
    expect(search({ filter: { zzzzzzzz: 1 } }).hint).toContain('kinds, tags, source');
  });

  it('a wrong value is named with what is wanted', () => {
    expect(search({ limit: 0 }).message).toBe('limit must be at least 1, not 0.');
    expect(search({ limit: 2.5 }).message).toBe('limit must be a whole number, not 2.5.');
    expect(search({ limit: '10' }).message).toBe('limit must be a number, not "10".');
    expect(search({ groupBy: 'page' }).message).toBe('groupBy must be one of "item", "chunk", not "page".');
    expect(search({ filter: { kinds: ['memo'] } }).message).toContain(
      'filter.kinds.0 must be one of "memory"',
    );
    expect(search(null).message).toBe('search options must be an object, not null.');
    expect(search({ queryVector: [1, Number.NaN] }).message).toContain(
      'queryVector must be an array of finite numbers',
    );
    expect(search({ signal: 'stop' }).message).toContain('signal must be an AbortSignal');
    const long = failure(() => validate(newItem, { text: 'x', tags: ['y'.repeat(300)] }, 'item'));
    expect(long.message).toContain('tags.0 must be at most 200 characters');
    expect(long.message.length).toBeLessThan(200);
  });

  it('the nearest name is within a few letters, or there is none', () => {
    expect(nearest('serch', ['search', 'status'])).toBe('search');
    expect(nearest('Limit', ['limit'])).toBe('limit');
    expect(nearest('banana', ['search', 'status'])).toBeNull();
  });
});
