import { defaults } from '../../core/defaults.js';
import { throwIfAborted } from '../../errors.js';
import { EmbedError } from '../embed-error.js';
import { saysTooLong } from '../too-long.js';
import { parseRetryAfter } from './retry-after.js';

export interface PostJson {
  url: string;
  body: unknown;
  /** Sent as a bearer token, and kept out of every message. */
  apiKey?: string | undefined;
  /** Who is asked, for messages: `ollama:bge-m3`. */
  id: string;
  /** What to do when the server cannot be reached. */
  unreachableHint: string;
  /** What to do when it does not know the model or the path. */
  notFoundHint: string;
  /** A longer answer is no answer to this request; it is not read to its end. */
  maxBytes: number;
  signal?: AbortSignal | undefined;
}

/** More than the vectors of so many texts may need: the widest take some 100,000 bytes each. */
export function maxAnswerBytes(texts: number): number {
  return (texts + 1) * defaults.embed.maxAnswerBytes;
}

/** Posts JSON and gives back the parsed answer, or an EmbedError that says what went wrong. */
export async function postJson(o: PostJson): Promise<unknown> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(o.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(o.apiKey === undefined ? {} : { authorization: `Bearer ${o.apiKey}` }),
      },
      body: JSON.stringify(o.body),
      // A redirect would send the texts to a server that nobody named.
      redirect: 'manual',
      ...(o.signal === undefined ? {} : { signal: o.signal }),
    });
    text = await textOf(response, o);
  } catch (error) {
    throwIfAborted(o.signal);
    if (error instanceof EmbedError) throw error;
    throw new EmbedError('unavailable', `${o.id} cannot be reached at ${o.url}: ${reason(error)}.`, {
      hint: o.unreachableHint,
      retryable: true,
      cause: error,
    });
  }
  if (!response.ok) throw httpError(o, response, text);
  try {
    return JSON.parse(text);
  } catch (error) {
    const what = text.trim() === '' ? 'nothing' : `no JSON: ${excerpt(text, o.apiKey)}`;
    throw new EmbedError('bad-response', `${o.id} answered ${what}.`, {
      hint: `Check that ${o.url} is the embedding endpoint.`,
      // Error pages of proxies come and go.
      retryable: true,
      cause: error,
    });
  }
}

/** The body, as long as it is not larger than any answer may be: a server may send without end. */
async function textOf(response: Response, { id, maxBytes }: PostJson): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > maxBytes) {
      throw new EmbedError('bad-response', `${id} answered more than ${maxBytes} bytes.`, {
        divisible: false,
      });
    }
    parts.push(part);
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}

function httpError(o: PostJson, response: Response, text: string): EmbedError {
  const { status } = response;
  const said = errorText(text, o.apiKey);
  const message = `${o.id} answered ${status}${said === '' ? '' : `: ${said}`}.`;
  if (status >= 300 && status < 400) {
    const target = response.headers.get('location') ?? 'an address that it does not name';
    return new EmbedError(
      'unavailable',
      `${o.id} answered ${status}, a redirect to ${excerpt(target, o.apiKey)}.`,
      {
        hint: 'Redirects are not followed: give the address that answers as the url.',
      },
    );
  }
  if (status === 401 || status === 403) {
    return new EmbedError('auth', message, { hint: 'Check the key, and what it may be used for.' });
  }
  if (status === 404) return new EmbedError('unavailable', message, { hint: o.notFoundHint });
  const tooLong = status === 413 || saysTooLong(said);
  // Some versions of Ollama answer 500 for a text that is too long, and for a model that gave NaN.
  if (status === 400 || status === 413 || status === 422 || (status === 500 && tooLong)) {
    return new EmbedError('rejected', message, {
      hint: tooLong ? 'Shorten the text.' : 'See the message.',
      tooLong,
    });
  }
  if (status === 500 && /unsupported value: NaN/i.test(said)) return new EmbedError('bad-response', message);
  return new EmbedError('unavailable', message, {
    hint: status === 429 ? 'Wait, or lower the rate.' : o.unreachableHint,
    retryable: status >= 500 || status === 429 || status === 408,
    retryAfterMs: parseRetryAfter(response.headers.get('retry-after'), Date.now()),
    // A text that crashes the model shows as 500; what stands before the model answers 502 to 504.
    divisible: status === 500,
  });
}

/** `{"error": "…"}` of Ollama, `{"error": {"message": "…"}}` of OpenAI, or the text itself. */
function errorText(text: string, apiKey: string | undefined): string {
  try {
    const body: unknown = JSON.parse(text);
    const error = field(body, 'error') ?? field(body, 'detail') ?? field(body, 'message');
    const said = typeof error === 'string' ? error : field(error, 'message');
    if (typeof said === 'string') return excerpt(said, apiKey);
  } catch {
    // Not JSON: shown as it is.
  }
  return excerpt(text, apiKey);
}

export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function excerpt(text: string, apiKey: string | undefined): string {
  const clean = apiKey ? text.replaceAll(apiKey, '***') : text;
  const line = clean.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return line.length > 200 ? `${line.slice(0, 197)}...` : line;
}

/** fetch hides what happened in its cause. */
function reason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  const code = (cause as NodeJS.ErrnoException).code;
  return cause.message || code || cause.name;
}
