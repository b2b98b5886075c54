import { throwIfAborted } from '../errors.js';
import { EmbedError } from './embed-error.js';

/**
 * Runs `call` with a signal that ends it when the caller's signal does, or after `timeoutMs`. Does not wait for a call
 * that ignores its signal. Rejects with `aborted` or `embedder-timeout`, or with what the call rejects with.
 */
export async function withTimeout<T>(
  id: string,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  throwIfAborted(signal);
  // By hand: AbortSignal.any keeps a listener on a long-lived signal for each request.
  const controller = new AbortController();
  let timedOut = false;
  let stop = () => {};
  const ended = new Promise<never>((_, reject) => {
    stop = () => {
      controller.abort();
      reject(controller.signal.reason);
    };
  });
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, timeoutMs);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([call(controller.signal), ended]);
  } catch (error) {
    throwIfAborted(signal);
    if (!timedOut) throw error;
    throw new EmbedError('timeout', `${id} did not answer within ${timeoutMs} ms.`, {
      hint: 'Raise timeoutMs, or lower maxBatch.',
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
