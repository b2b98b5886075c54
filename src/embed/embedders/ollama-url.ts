import { CorvidError, show } from '../../errors.js';

const DEFAULT_PORT = 11434;

/**
 * Where the Ollama server is: the url given, else CORVID_OLLAMA_URL, else OLLAMA_HOST, else port 11434 of this machine.
 * As in Ollama itself the scheme may be left out, and then the port too; an address to listen on (`0.0.0.0`) is
 * reached by the loopback address.
 */
export function ollamaUrl(
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const value = (given || env.CORVID_OLLAMA_URL || env.OLLAMA_HOST || '').trim();
  if (value === '') return `http://127.0.0.1:${DEFAULT_PORT}`;
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(value);
  const address = hasScheme ? value : `http://${value.startsWith(':') ? `127.0.0.1${value}` : value}`;
  if (!/^https?:/i.test(address) || !URL.canParse(address)) {
    throw new CorvidError('invalid-argument', `The address of Ollama is not one: ${show(value)}.`, {
      hint: `Write it as http://127.0.0.1:${DEFAULT_PORT}.`,
    });
  }
  const url = new URL(address);
  // The URL drops a port that is the scheme's own: whether one was written shows only in the text.
  if (!hasScheme && !/^[^/]*:\d+(\/|$)/.test(address.slice('http://'.length)))
    url.port = String(DEFAULT_PORT);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return url.href.replace(/\/+$/, '');
}
