import { describe, expect, it } from 'vitest';
import { CorvidError } from '../../errors.js';
import { ollamaUrl } from './ollama-url.js';

describe('ollamaUrl', () => {
  it.each([
    ['', 'http://127.0.0.1:11434'],
    ['localhost', 'http://localhost:11434'],
    ['10.0.0.5:8080', 'http://10.0.0.5:8080'],
    ['10.0.0.5:80', 'http://10.0.0.5'],
    [':9000', 'http://127.0.0.1:9000'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:9000', 'http://127.0.0.1:9000'],
    ['[::]:9000', 'http://[::1]:9000'],
    ['[::1]', 'http://[::1]:11434'],
    ['http://kiln.example', 'http://kiln.example'],
    ['https://kiln.example/ollama/', 'https://kiln.example/ollama'],
  ])('OLLAMA_HOST=%s is %s', (value, url) => {
    expect(ollamaUrl(undefined, { OLLAMA_HOST: value })).toBe(url);
  });

  it('takes what is given before CORVID_OLLAMA_URL, and that before OLLAMA_HOST', () => {
    const env = { CORVID_OLLAMA_URL: 'http://b:1', OLLAMA_HOST: 'c:1' };
    expect(ollamaUrl('http://a:1', env)).toBe('http://a:1');
    expect(ollamaUrl(undefined, env)).toBe('http://b:1');
  });

  it.each(['ftp://kiln', 'a b', 'host:port'])('refuses %s', (value) => {
    expect(() => ollamaUrl(value, {})).toThrow(CorvidError);
  });
});
