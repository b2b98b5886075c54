import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** What the server does wrong with a request. */
export type Fault =
  /** Answers after so many milliseconds. */
  | { delayMs: number }
  /** Takes the request and never answers. */
  | 'hang'
  /** Cuts the connection. */
  | 'drop'
  | { status: number; message?: string; headers?: Record<string, string> }
  /** A page where JSON should be, with status 200. */
  | 'html'
  | 'empty-body'
  /** One vector too few (the last), or too many. */
  | 'short'
  | 'extra'
  /** `data` in another order, each with its right index; only `/v1/embeddings` has an index. */
  | 'reordered'
  /** The third vector is missing, and the indexes show it. */
  | 'gap'
  /** The form of the old `/api/embeddings`. */
  | 'old-form'
  /** What stands for each vector, or for those that `texts` names (as they arrive, prefix and all). */
  | { vectors: 'zero' | 'nan' | 'null' | 'strings' | { width: number }; texts?: (text: string) => boolean };

/** A request as it came. */
export interface SeenRequest {
  path: string;
  model: string;
  inputs: string[];
  body: Record<string, unknown>;
  authorization: string | undefined;
  at: number;
  /** Whether the client gave up before the answer. */
  aborted: boolean;
}

export interface EmbeddingServerOptions {
  /** Components of a vector; default 16. */
  dimensions?: number;
  /** Vectors of given texts, looked up without prefix; all others come from a hash of their words. */
  vectors?: Record<string, readonly number[]>;
  /** Answers 401 to any other key. */
  key?: string;
  /** 400 for a batch that holds a text for which this is true. */
  refuse?: (text: string) => boolean;
  /** 400 for a batch that holds a longer text. */
  maxChars?: number;
  /** Asked for each request, counted from 1; undefined: nothing is wrong. */
  fault?: (request: SeenRequest, count: number) => Fault | undefined;
}

/**
 * A real HTTP server that speaks `/api/embed` and `/v1/embeddings`. Its vectors depend on the words of a text alone:
 * texts that share words are near each other. On request it does wrong what such servers do wrong.
 */
export class EmbeddingServer {
  readonly requests: SeenRequest[] = [];
  /** May be changed while the server runs. */
  options: EmbeddingServerOptions;
  #server: Server | null = null;
  readonly #sockets = new Set<Socket>();
  #port = 0;

  private constructor(options: EmbeddingServerOptions) {
    this.options = options;
  }

  static async start(options: EmbeddingServerOptions = {}): Promise<EmbeddingServer> {
    const server = new EmbeddingServer(options);
    await server.listen();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Listens again, on the port it had before. */
  async listen(): Promise<void> {
    if (this.#server) return;
    const server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Cuts all connections and refuses new ones. */
  async close(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = null;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** All texts that came, in order. */
  get inputs(): string[] {
    return this.requests.flatMap((request) => request.inputs);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await textOf(request)) as Record<string, unknown>;
    const input = body.input;
    const inputs = (Array.isArray(input) ? input : [input]).map(String);
    const seen: SeenRequest = {
      path: request.url ?? '',
      model: String(body.model),
      inputs,
      body,
      authorization: request.headers.authorization,
      at: Date.now(),
      aborted: false,
    };
    this.requests.push(seen);
    response.on('close', () => {
      seen.aborted = !response.writableFinished;
    });
    const o = this.options;
    const fault = o.fault?.(seen, this.requests.length);
    if (fault === 'hang') return;
    if (fault === 'drop') {
      request.socket.destroy();
      return;
    }
    if (isObject(fault) && 'delayMs' in fault) {
      await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
      if (response.destroyed) return;
    }
    if (isObject(fault) && 'status' in fault) {
      return sendError(seen, response, fault.status, fault.message ?? 'scripted', fault.headers);
    }
    if (fault === 'html') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Be right back</body></html>');
      return;
    }
    if (fault === 'empty-body') {
      response.writeHead(200).end();
      return;
    }
    if (seen.path !== '/api/embed' && seen.path !== '/v1/embeddings') {
      return sendError(seen, response, 404, 'no such path');
    }
    if (o.key !== undefined && seen.authorization !== `Bearer ${o.key}`) {
      return sendError(seen, response, 401, `wrong key: ${seen.authorization}`);
    }
    if (inputs.some((text) => o.refuse?.(text))) return sendError(seen, response, 400, 'invalid input');
    if (inputs.some((text) => text.length > (o.maxChars ?? Number.POSITIVE_INFINITY))) {
      return sendError(seen, response, 400, 'the input length exceeds the context length');
    }
    const vectors = inputs.map((text) => spoil(fault, text, this.vectorOf(text, body.dimensions)));
    send(
      response,
      200,
      seen.path === '/api/embed' ? ollama(seen, vectors, fault) : openai(seen, vectors, fault),
    );
  }

  /** The vector the server gives a text, prefix or not. */
  vectorOf(text: string, dimensions?: unknown): number[] {
    const plain = withoutPrefix(text);
    const scripted = this.options.vectors?.[plain];
    if (scripted) return [...scripted];
    const whole = hashVector(plain, this.options.dimensions ?? 16);
    return typeof dimensions === 'number' ? whole.slice(0, dimensions) : whole;
  }
}

/** Each word adds its own direction. */
export function hashVector(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  // The empty word keeps a text without words from being zero.
  for (const word of ['', ...(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])]) {
    const weight = word === '' ? 0.05 : 1;
    // Cheap on purpose: what the server works, a benchmark on the same cores would count as waiting.
    let state = seedOf(word);
    for (let i = 0; i < dimensions; i++) {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      vector[i] = vector[i]! + weight * Math.fround(((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1);
    }
  }
  return vector;
}

/** FNV-1a, then mixed, so that near words start far apart. */
function seedOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const PREFIXES = [
  'search_query: ',
  'search_document: ',
  'task: search result | query: ',
  'title: none | text: ',
];

function withoutPrefix(text: string): string {
  const prefix = PREFIXES.find((known) => text.startsWith(known)) ?? '';
  return text.slice(prefix.length);
}

type Answered = readonly unknown[] | string;

function spoil(fault: Fault | undefined, text: string, vector: number[]): Answered {
  if (!isObject(fault) || !('vectors' in fault) || fault.texts?.(text) === false) return vector;
  const kind = fault.vectors;
  if (typeof kind === 'object') return hashVector(text, kind.width);
  if (kind === 'zero') return vector.map(() => 0);
  // JSON has no NaN: servers write null, or the bare word, which makes the whole answer unreadable.
  if (kind === 'nan') return NAN;
  if (kind === 'null') return [null, ...vector.slice(1)];
  return vector.map(String);
}

const NAN = 'vector with a NaN';

function ollama(seen: SeenRequest, vectors: Answered[], fault: Fault | undefined): unknown {
  if (fault === 'old-form') return { embedding: vectors[0] };
  return { model: seen.model, embeddings: changed(vectors, fault), total_duration: 1, prompt_eval_count: 1 };
}

function openai(seen: SeenRequest, vectors: Answered[], fault: Fault | undefined): unknown {
  if (fault === 'old-form') return { embedding: vectors[0] };
  const base64 = seen.body.encoding_format === 'base64';
  const data = changed(
    vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: base64 && Array.isArray(vector) ? toBase64(vector as number[]) : vector,
    })),
    fault,
  );
  // An extra one would otherwise repeat an index, which is another fault.
  if (fault === 'extra') data[data.length - 1] = { ...data[data.length - 1]!, index: data.length - 1 };
  return {
    object: 'list',
    model: seen.model,
    data: fault === 'reordered' ? shuffled(data) : data,
    usage: { prompt_tokens: 1, total_tokens: 1 },
  };
}

function changed<T>(list: readonly T[], fault: Fault | undefined): T[] {
  if (fault === 'short') return list.slice(0, -1);
  if (fault === 'extra') return [...list, list[0]!];
  if (fault === 'gap') return list.filter((_, i) => i !== Math.min(2, list.length - 1));
  return [...list];
}

/** 4 entries come as 3, 1, 0, 2. */
function shuffled<T>(list: readonly T[]): T[] {
  const odd = list.filter((_, i) => i % 2 === 1).reverse();
  return [...odd, ...list.filter((_, i) => i % 2 === 0)];
}

function toBase64(vector: readonly number[]): string {
  return Buffer.from(Float32Array.from(vector).buffer).toString('base64');
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(body).replaceAll(JSON.stringify(NAN), '[NaN,0,0]');
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}

function sendError(
  seen: SeenRequest,
  response: ServerResponse,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  const error = seen.path.startsWith('/api/') ? message : { message, type: 'error' };
  send(response, status, { error }, headers);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function isObject(fault: Fault | undefined): fault is Exclude<Fault, string> {
  return typeof fault === 'object';
}
