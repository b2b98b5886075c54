import { expect, it } from 'vitest';
import { saysTooLong } from './too-long.js';

it.each([
  'the input length exceeds the context length',
  'input length exceeds maximum context length',
  'the request exceeds the available context size',
  'input (612 tokens) is too large to process. increase the physical batch size',
  "This model's maximum context length is 512 tokens, however you asked for 700",
  "Invalid 'input[0]': maximum input length is 8192 tokens.",
  'inputs must have less than 512 tokens. Given: 700',
  'Too many tokens: at most 256 are taken',
  'Request Entity Too Large',
])('%s: the text is too long', (message) => {
  expect(saysTooLong(message)).toBe(true);
});

it.each(['invalid input', 'input must be a string', 'model not found', 'invalid token in the header', ''])(
  '%s: it is something else',
  (message) => {
    expect(saysTooLong(message)).toBe(false);
  },
);
