import { CorvidError } from '../errors.js';
import { EmbedError } from './embed-error.js';
import { saysTooLong } from './too-long.js';

/**
 * What an embedder threw as an EmbedError. Embedders of callers' own often stand on a provider's client, whose errors
 * carry the HTTP status as `status` or `status_code`.
 */
export function asEmbedError(error: unknown, id: string): EmbedError {
  if (error instanceof EmbedError) return error;
  const message = `${id} failed: ${error instanceof Error ? error.message : String(error)}`;
  const o = { cause: error, ...(error instanceof CorvidError ? { hint: error.hint } : {}) };
  const status = statusOf(error);
  if (status === 400 || status === 413 || status === 422) {
    return new EmbedError('rejected', message, { ...o, tooLong: status === 413 || saysTooLong(message) });
  }
  if (status === 401 || status === 403) return new EmbedError('auth', message, o);
  if (status === 408 || status === 429 || status >= 500) {
    return new EmbedError('unavailable', message, { ...o, retryable: true, divisible: status === 500 });
  }
  // What fetch throws when there is no connection.
  if (error instanceof TypeError && error.message === 'fetch failed') {
    return new EmbedError('unavailable', message, { ...o, retryable: true });
  }
  // Unknown: one of the texts may be the cause.
  return new EmbedError('unavailable', message, { ...o, divisible: status === 0 });
}

/** 0 when there is none. */
function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null) return 0;
  // A CorvidError's status is what our own server would answer.
  if (error instanceof CorvidError) return 0;
  const { status, status_code } = error as { status?: unknown; status_code?: unknown };
  if (typeof status === 'number') return status;
  return typeof status_code === 'number' ? status_code : 0;
}
