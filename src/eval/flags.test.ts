import { expect, it } from 'vitest';
import { toEvaluateOptions } from './flags.js';

it('leaves the prior off unless asked', () => {
  expect(toEvaluateOptions({}).prior).toBe('off');
  expect(toEvaluateOptions({ prior: true }).prior).toBe('on');
});

it('reads weights as stream=number', () => {
  expect(toEvaluateOptions({ weights: 'lexical=1, vector=.5' }).weights).toEqual({ lexical: 1, vector: 0.5 });
});

it('reads streams as one list or several', () => {
  expect(toEvaluateOptions({ streams: ['lexical,exact', 'vector'], embedder: 'ollama' }).streams).toEqual([
    'lexical',
    'exact',
    'vector',
  ]);
});

it.each(['lexical', 'lexical=', 'lexical=x', '=1', 'lexical=1=2', 'lexical=-1', 'lexical=1,', ''])(
  'refuses the weights %j',
  (weights) => {
    expect(() => toEvaluateOptions({ weights })).toThrow(
      expect.objectContaining({ code: 'invalid-argument', hint: expect.stringContaining('lexical=1') }),
    );
  },
);

it('refuses a stream that does not exist, in streams and in weights', () => {
  const refusal = expect.objectContaining({
    code: 'unknown-stream',
    message: expect.stringContaining('"lexicla"'),
  });
  expect(() => toEvaluateOptions({ streams: ['lexicla'] })).toThrow(refusal);
  expect(() => toEvaluateOptions({ weights: 'lexicla=1' })).toThrow(refusal);
});

it('refuses the vector stream without an embedder', () => {
  expect(toEvaluateOptions({ embedder: 'none' })).toMatchObject({ prior: 'off', embedder: 'none' });
  for (const embedder of [undefined, 'none']) {
    expect(() => toEvaluateOptions({ embedder, streams: ['vector'] })).toThrow(
      expect.objectContaining({ code: 'unknown-stream', hint: expect.stringContaining('--embedder') }),
    );
  }
});
