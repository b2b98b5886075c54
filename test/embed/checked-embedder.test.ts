import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Embedder, EmbedderConfig } from '../../src/contracts/index.js';
import type { Embedded } from '../../src/embed/batch-embedder.js';
import { CheckedEmbedder, type CheckedEmbedderOptions } from '../../src/embed/checked-embedder.js';
import { functionEmbedder } from '../../src/embed/embedders/function.js';
import { resolveEmbedder } from '../../src/embed/embedders/resolve-embedder.js';
import { EmbeddingServer, type Fault, hashVector } from '../support/embedding-server.js';

let server: EmbeddingServer;

beforeEach(async () => {
  server = await EmbeddingServer.start();
});
afterEach(() => server.close());

const quick: CheckedEmbedderOptions = { retryBaseMs: 5 };

function checked(config: Partial<EmbedderConfig> = {}, o: CheckedEmbedderOptions = {}): CheckedEmbedder {
  const embedder = resolveEmbedder(
    { provider: 'ollama', model: 'clay', url: server.url, ...config },
    { env: {} },
  );
  return new CheckedEmbedder(embedder!, { ...quick, ...o });
}

/** The unit vector of a text, as the server would give it. */
function unit(text: string): number[] {
  return normal(server.vectorOf(text));
}

function normal(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return vector.map((x) => x / length);
}

function expectVector(outcome: Embedded | undefined, expected: readonly number[]): void {
  if (!outcome?.ok) throw outcome?.error ?? new Error('no outcome');
  expect(outcome.vector).toBeInstanceOf(Float32Array);
  expect(outcome.vector.length).toBe(expected.length);
  outcome.vector.forEach((x, i) => {
    expect(x).toBeCloseTo(expected[i]!, 5);
  });
}

function codes(outcomes: readonly Embedded[]): string[] {
  return outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.error.code));
}

/** The fault in every request that holds more than one text. */
const inBatches =
  (fault: Fault) =>
  (request: { inputs: string[] }): Fault | undefined =>
    request.inputs.length > 1 ? fault : undefined;

const four = ['amber', 'birch', 'cedar', 'delta'];
const providers = ['ollama', 'openai'] as const;

describe.each(providers)('answers of %s that do not fit (V10)', (provider) => {
  it.each([
    ['a: one vector is missing', 'short'],
    ['b: there is one too many', 'extra'],
    ['d: the third is missing', 'gap'],
    ['e: one is of another width', { vectors: { width: 12 }, texts: (text: string) => text === 'cedar' }],
    ['f: the form is that of the old endpoint', 'old-form'],
  ] satisfies [string, Fault][])(
    '%s: the texts are asked for alone, none gets the vector of another',
    async (_, fault) => {
      server.options.fault = inBatches(fault);
      const outcomes = await checked({ provider }).embedEach(four, { kind: 'document' });
      four.forEach((text, i) => {
        expectVector(outcomes[i], unit(text));
      });
      expect(server.requests.some((request) => request.inputs.length === 1)).toBe(true);
    },
  );

  it.each(['short', 'extra', 'old-form'] satisfies Fault[])(
    '%s every time: every text fails, none is shifted',
    async (fault) => {
      server.options.fault = () => fault;
      const outcomes = await checked({ provider }).embedEach(four, { kind: 'document' });
      expect(codes(outcomes)).toEqual(four.map(() => 'embedder-bad-response'));
    },
  );

  it('e: a text whose vector is always of another width fails alone', async () => {
    server.options.fault = () => ({ vectors: { width: 12 }, texts: (text) => text === 'birch' });
    const outcomes = await checked({ provider }).embedEach(four, { kind: 'document' });
    expect(codes(outcomes)).toEqual(['ok', 'embedder-bad-response', 'ok', 'ok']);
    expectVector(outcomes[2], unit('cedar'));
  });
});

describe('answers in another order', () => {
  it('are placed by their index, in one request (V10 c)', async () => {
    server.options.fault = () => 'reordered';
    const outcomes = await checked({ provider: 'openai' }).embedEach(four, { kind: 'document' });
    four.forEach((text, i) => {
      expectVector(outcomes[i], unit(text));
    });
    expect(server.requests).toHaveLength(1);
  });
});

describe.each(providers)('vectors of %s that cannot be used (V04)', (provider) => {
  it.each(['zero', 'null', 'nan', 'strings'] as const)(
    '%s: refused, and the other texts are embedded',
    async (kind) => {
      server.options.fault = () => ({ vectors: kind, texts: (text) => text === 'birch' });
      const outcomes = await checked({ provider }).embedEach(four, { kind: 'document' });
      expect(codes(outcomes)).toEqual(['ok', 'embedder-bad-response', 'ok', 'ok']);
      expectVector(outcomes[3], unit('delta'));
    },
  );

  it('a server that gives nothing but zeros is left alone after a few requests', async () => {
    server.options.fault = () => ({ vectors: 'zero' });
    const texts = Array.from({ length: 64 }, (_, i) => `text ${i}`);
    const outcomes = await checked({ provider }).embedEach(texts, { kind: 'document' });
    expect(new Set(codes(outcomes))).toEqual(new Set(['embedder-bad-response']));
    expect(server.requests.length).toBeLessThanOrEqual(16);
  });
});

describe('forms of a vector (V09)', () => {
  const wanted = [0.5, -0.25, 0.75, 1];
  const floats = Float32Array.from(wanted);
  const bytes = Buffer.from(floats.buffer);
  const shifted = Buffer.concat([Buffer.from([7]), bytes, Buffer.from([7])]).subarray(1, 17);
  const embed = (value: unknown) =>
    new CheckedEmbedder(functionEmbedder(() => [value], { model: 'm', dimensions: 4 })).embedEach(['x'], {
      kind: 'document',
    });

  it.each<[string, unknown]>([
    ['number[]', wanted],
    ['Float32Array', floats],
    ['a view of a Float32Array', Float32Array.from([9, ...wanted, 9]).subarray(1, 5)],
    ['Float64Array', Float64Array.from(wanted)],
    ['a Buffer at an odd offset', shifted],
    ['base64', bytes.toString('base64')],
  ])('%s becomes the same unit vector', async (_, value) => {
    const [outcome] = await embed(value);
    expectVector(outcome, normal(wanted));
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a word', 'kiln'],
    ['components that are strings', ['0.5', '1', '0', '0']],
    ['a component that is null', [null, 1, 0, 0]],
    ['NaN', [Number.NaN, 1, 0, 0]],
    ['Infinity', Float32Array.of(Number.POSITIVE_INFINITY, 0, 0, 0)],
    ['a double beyond float32', [1e300, 0, 0, 0]],
    ['zeros', [0, 0, 0, 0]],
    ['bytes that are no float32', Buffer.from([1, 2, 3])],
    ['plain bytes', Uint8Array.of(1, 2, 3, 4)],
    ['half as many components', Float64Array.of(1, 2)],
    ['nothing', []],
  ])('%s is refused', async (_, value) => {
    expect(codes(await embed(value))).toEqual(['embedder-bad-response']);
  });

  it('copies: what happens to the answer later changes nothing', async () => {
    const own = Float32Array.of(1, 0, 0, 0);
    const [outcome] = await embed(own);
    own.fill(9);
    expectVector(outcome, [1, 0, 0, 0]);
  });

  it('brings every vector to length 1', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 4, maxLength: 4 }),
        async (vector) => {
          const [outcome] = await embed(vector);
          if (vector.every((x) => Math.fround(x) === 0)) return expect(outcome?.ok).toBe(false);
          if (!outcome?.ok) throw outcome?.error;
          expect(Math.hypot(...outcome.vector)).toBeCloseTo(1, 4);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('failures that pass (V13)', () => {
  it('embeds 99 of 100 texts through 429, 500, HTML and one text that is refused', async () => {
    const texts = Array.from({ length: 100 }, (_, i) => `doc ${i}`);
    server.options = {
      refuse: (text) => text === 'doc 42',
      fault: (_, count) =>
        count === 3
          ? { status: 429, headers: { 'retry-after': '1' } }
          : count === 5
            ? { status: 500 }
            : count === 6
              ? 'html'
              : undefined,
    };
    const embedder = checked({ maxBatch: 10 }, { concurrency: 1 });
    const outcomes = await embedder.embedEach(texts, { kind: 'document' });
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(99);
    expect(outcomes[42]).toMatchObject({ ok: false, error: { code: 'embedder-rejected', kind: 'rejected' } });
    texts.forEach((text, i) => {
      if (i !== 42) expectVector(outcomes[i], unit(text));
    });
    expect(server.requests[3]!.at - server.requests[2]!.at).toBeGreaterThanOrEqual(990);
    expect(server.requests[3]!.inputs).toEqual(server.requests[2]!.inputs);
  });

  it('waits until the date of Retry-After, and never longer than the cap', async () => {
    const at = new Date(Date.now() + 3_600_000).toUTCString();
    server.options.fault = (_, count) =>
      count === 1 ? { status: 503, headers: { 'retry-after': at } } : undefined;
    const [outcome] = await checked({}, { maxRetryAfterMs: 60 }).embedEach(['kiln'], { kind: 'document' });
    expectVector(outcome, unit('kiln'));
    const waited = server.requests[1]!.at - server.requests[0]!.at;
    expect(waited).toBeGreaterThanOrEqual(55);
    expect(waited).toBeLessThan(5000);
  });

  it.each([
    [400, 'embedder-rejected'],
    [401, 'embedder-auth'],
    [403, 'embedder-auth'],
    [404, 'embedder-unavailable'],
  ])('does not repeat a request that got %i', async (status, code) => {
    server.options.fault = () => ({ status });
    expect(codes(await checked().embedEach(['kiln'], { kind: 'document' }))).toEqual([code]);
    expect(server.requests).toHaveLength(1);
  });

  it('asks nothing more once the key was refused', async () => {
    server.options.key = 'right';
    const texts = Array.from({ length: 50 }, (_, i) => `doc ${i}`);
    const embedder = checked({ provider: 'openai', apiKey: 'secret-wrong', maxBatch: 5 }, { concurrency: 1 });
    const outcomes = await embedder.embedEach(texts, { kind: 'document' });
    expect(new Set(codes(outcomes))).toEqual(new Set(['embedder-auth']));
    expect(server.requests).toHaveLength(1);
    expect(JSON.stringify(outcomes.map((outcome) => !outcome.ok && outcome.error.message))).not.toContain(
      'secret-wrong',
    );
  });

  it.each(['html', 'empty-body', 'drop', { status: 500 }, { status: 503 }] satisfies Fault[])(
    'gives up on %j after some tries, with a typed error',
    async (fault) => {
      server.options.fault = () => fault;
      const outcomes = await checked({}, { retries: 2 }).embedEach(['kiln'], { kind: 'document' });
      expect(codes(outcomes)).toEqual([
        fault === 'html' || fault === 'empty-body' ? 'embedder-bad-response' : 'embedder-unavailable',
      ]);
      expect(server.requests).toHaveLength(3);
    },
  );

  it('embeds the other texts when one crashes the model', async () => {
    server.options.fault = (request) => (request.inputs.includes('cedar') ? { status: 500 } : undefined);
    const outcomes = await checked({}, { retries: 1 }).embedEach(four, { kind: 'document' });
    expect(codes(outcomes)).toEqual(['ok', 'ok', 'embedder-unavailable', 'ok']);
  });

  it('is unavailable while the server is gone, and works again once it is back', async () => {
    const embedder = checked();
    await embedder.embedEach(['kiln'], { kind: 'document' });
    await server.close();
    expect(codes(await embedder.embedEach(['kiln'], { kind: 'query' }))).toEqual(['embedder-unavailable']);
    await server.listen();
    expectVector((await embedder.embedEach(['kiln'], { kind: 'query' }))[0], unit('kiln'));
  });
});

describe('a slow embedder (V12)', () => {
  it('hanging: the request ends at the time limit and is taken back', async () => {
    server.options.fault = () => 'hang';
    const start = Date.now();
    const outcomes = await checked({ timeoutMs: 150 }).embedEach(['kiln'], { kind: 'query' });
    expect(codes(outcomes)).toEqual(['embedder-timeout']);
    expect(Date.now() - start).toBeLessThan(2000);
    await expect.poll(() => server.requests[0]?.aborted).toBe(true);
    server.options.fault = () => undefined;
    expectVector((await checked().embedEach(['kiln'], { kind: 'query' }))[0], unit('kiln'));
  });

  it("ends with `aborted` when the caller's signal does, also between tries", async () => {
    server.options.fault = () => ({ delayMs: 60_000 });
    await expect(
      checked().embedEach(['kiln'], { kind: 'query', signal: AbortSignal.timeout(100) }),
    ).rejects.toMatchObject({ code: 'aborted' });
    server.options.fault = () => ({ status: 429, headers: { 'retry-after': '60' } });
    await expect(
      checked().embedEach(['kiln'], { kind: 'document', signal: AbortSignal.timeout(100) }),
    ).rejects.toMatchObject({ code: 'aborted' });
  });

  it('a function that ignores its signal is not waited for', async () => {
    const embedder = functionEmbedder(() => new Promise(() => {}), { model: 'stuck' });
    const outcomes = await new CheckedEmbedder(embedder, { timeoutMs: 50 }).embedEach(['kiln'], {
      kind: 'query',
    });
    expect(codes(outcomes)).toEqual(['embedder-timeout']);
  });

  it('a query does not wait for documents', async () => {
    server.options.fault = (request) => (request.inputs.includes('slow') ? { delayMs: 500 } : undefined);
    const embedder = checked({}, { concurrency: 1 });
    const documents = embedder.embedEach(['slow'], { kind: 'document' });
    const start = Date.now();
    await embedder.embedEach(['kiln'], { kind: 'query' });
    expect(Date.now() - start).toBeLessThan(400);
    await documents;
  });
});

describe('a text over the limit (V14)', () => {
  /** The unit mean of the parts' unit vectors, weighted by their lengths. */
  const meanOf = (parts: readonly string[]) => {
    const sum = unit('').map(() => 0);
    for (const part of parts) {
      unit(part).forEach((x, i) => {
        sum[i] = sum[i]! + x * part.length;
      });
    }
    return normal(sum);
  };

  it.each(providers)('%s: its halves are embedded, and it gets their mean', async (provider) => {
    server.options.maxChars = 2048;
    const long = `${'kiln glaze '.repeat(150)}\n\n${'boat ferry sail '.repeat(100)}end`;
    const outcomes = await checked({ provider }).embedEach(['kiln', long, 'glaze'], { kind: 'document' });
    expectVector(outcomes[0], unit('kiln'));
    expectVector(outcomes[1], meanOf(long.split('\n\n').map((part) => part.trim())));
    expectVector(outcomes[2], unit('glaze'));
  });

  it('a part that is still too long is halved again, and every character is in one part', async () => {
    server.options.maxChars = 100;
    const sign = (i: number) => String.fromCodePoint(0x2190 + (i % 100));
    const long = Array.from({ length: 3000 }, (_, i) => sign(i)).join('');
    const [outcome] = await checked({ maxBatch: 1 }).embedEach([long], { kind: 'document' });
    expect(outcome?.ok).toBe(true);
    const accepted = server.requests.filter((request) => request.inputs.every((text) => text.length <= 100));
    const parts = accepted.flatMap((request) => request.inputs);
    expect(parts.join('').length).toBe(3000);
    expect([...parts.join('')].sort()).toEqual([...long].sort());
    expect(Math.max(...server.requests.map((request) => request.inputs.length))).toBe(1);
  });

  it('a text that no cut makes short enough is rejected after a bounded number of requests, and the others go on', async () => {
    server.options.maxChars = 20;
    const outcomes = await checked().embedEach(['kiln', '#'.repeat(100_000), 'glaze'], { kind: 'document' });
    expect(codes(outcomes)).toEqual(['ok', 'embedder-rejected', 'ok']);
    expect(server.requests.length).toBeLessThan(30);
  });

  it('a part that is refused for another reason fails the whole text: none of it is left out', async () => {
    server.options.maxChars = 100;
    server.options.refuse = (text) => text.length <= 100 && text.includes('cedar');
    const outcomes = await checked().embedEach([`${'kiln '.repeat(30)}\n\n${'cedar '.repeat(15)}`, 'kiln'], {
      kind: 'document',
    });
    expect(codes(outcomes)).toEqual(['embedder-rejected', 'ok']);
  });

  it('each part has the prefix of its role', async () => {
    Object.assign(server.options, { dimensions: 768, maxChars: 300 });
    await checked({ model: 'nomic-embed-text' }).embedEach(['kiln '.repeat(100)], { kind: 'document' });
    expect(server.inputs.length).toBe(3);
    for (const input of server.inputs) expect(input).toMatch(/^search_document: kiln/);
  });

  it("in a function the status of the provider's client and its message say so", async () => {
    const embedder = functionEmbedder(
      (texts) => {
        if (texts.some((text) => text.length > 100))
          throw Object.assign(new Error('inputs must have less than 50 tokens'), { status: 422 });
        return texts.map((text) => hashVector(text, 8));
      },
      { model: 'm' },
    );
    const outcomes = await new CheckedEmbedder(embedder, quick).embedEach(['kiln '.repeat(30)], {
      kind: 'document',
    });
    expect(codes(outcomes)).toEqual(['ok']);
  });

  it('413 is about the length whatever its message; another 400 is not', async () => {
    const long = 'kiln '.repeat(30);
    server.options.fault = (request) =>
      request.inputs[0]!.length > 100 ? { status: 413, message: 'no' } : undefined;
    expect(codes(await checked().embedEach([long], { kind: 'document' }))).toEqual(['ok']);
    server.requests.length = 0;
    server.options.fault = () => ({ status: 400, message: 'invalid input' });
    expect(codes(await checked().embedEach([long], { kind: 'document' }))).toEqual(['embedder-rejected']);
    expect(server.requests).toHaveLength(1);
  });

  it('Ollama is told not to cut texts in silence', async () => {
    await checked().embedEach(['kiln'], { kind: 'document' });
    expect(server.requests[0]?.body.truncate).toBe(false);
  });

  it('knows a text that is too long also behind a 500', async () => {
    server.options.fault = () => ({ status: 500, message: 'input length exceeds the context length' });
    expect(codes(await checked().embedEach(['kiln'], { kind: 'document' }))).toEqual(['embedder-rejected']);
    expect(server.requests).toHaveLength(1);
  });
});

describe('prefixes (V15)', () => {
  it.each(['nomic-embed-text', 'nomic-embed-text:v1.5', 'hf.co/nomic-ai/nomic-embed-text-v1.5-GGUF:Q4_K_M'])(
    '%s gets the prefix of the role, exactly once',
    async (model) => {
      server.options.dimensions = 768;
      const embedder = checked({ model });
      await embedder.embedEach(['x'], { kind: 'document' });
      await embedder.embedEach(['x'], { kind: 'query' });
      await embedder.embedEach(['search_query: x'], { kind: 'query' });
      expect(server.inputs).toEqual([
        'search_document: x',
        'search_query: x',
        'search_query: search_query: x',
      ]);
    },
  );

  it('models that know none get none, and the caller may set others', async () => {
    server.options.dimensions = 384;
    await checked({ model: 'all-minilm' }).embedEach(['x'], { kind: 'document' });
    await checked({ model: 'all-minilm', queryPrefix: 'Q ', documentPrefix: 'D ' }).embedEach(['x'], {
      kind: 'query',
    });
    expect(server.inputs).toEqual(['x', 'Q x']);
  });

  it('stay when a batch is tried again and divided', async () => {
    server.options.dimensions = 768;
    server.options.fault = (request, count) => (count === 1 ? { status: 500 } : inBatches('short')(request));
    await checked({ model: 'nomic-embed-text' }).embedEach(['x', 'y'], { kind: 'document' });
    expect(new Set(server.inputs)).toEqual(new Set(['search_document: x', 'search_document: y']));
  });
});

describe('widths', () => {
  it('the width of an unknown model is that of its first answer, from then on', async () => {
    const embedder = checked();
    expect(embedder.dimensions).toBeNull();
    await embedder.embedEach(['kiln'], { kind: 'document' });
    expect(embedder.dimensions).toBe(16);
    server.options.dimensions = 12;
    expect(codes(await embedder.embedEach(['kiln'], { kind: 'document' }))).toEqual([
      'embedder-bad-response',
    ]);
  });

  it('stored vectors decide the width of a model that declares none', async () => {
    const outcomes = await checked({}, { dimensions: 4 }).embedEach(['kiln'], { kind: 'document' });
    expect(codes(outcomes)).toEqual(['embedder-bad-response']);
  });

  it('cuts and renormalises where the model allows it', async () => {
    const embedder = checked({ dimensions: 4, canTruncate: true });
    const [outcome] = await embedder.embedEach(['kiln'], { kind: 'document' });
    expectVector(outcome, normal(server.vectorOf('kiln').slice(0, 4)));
  });

  it('asks OpenAI for short vectors only where the model can, and cuts those of servers that do not listen', async () => {
    server.options.dimensions = 1536;
    const embedder = checked({ provider: 'openai', model: 'text-embedding-3-small', dimensions: 256 });
    expectVector(
      (await embedder.embedEach(['kiln'], { kind: 'query' }))[0],
      normal(server.vectorOf('kiln', 256)),
    );
    expect(server.requests[0]?.body).toMatchObject({ dimensions: 256, encoding_format: 'float' });
    await checked({ provider: 'openai', model: 'text-embedding-3-small' }).embedEach(['kiln'], {
      kind: 'query',
    });
    expect(server.requests[1]?.body).not.toHaveProperty('dimensions');
    server.options.vectors = { glaze: hashVector('glaze', 1536) };
    const deaf = checked({ provider: 'openai', model: 'text-embedding-3-small', dimensions: 256 });
    expectVector(
      (await deaf.embedEach(['glaze'], { kind: 'query' }))[0],
      normal(hashVector('glaze', 1536).slice(0, 256)),
    );
  });
});

describe('batches', () => {
  it('keep the order of the texts, whatever the batch size and the number under way', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 4 }),
        async (maxBatch, concurrency) => {
          let underWay = 0;
          let most = 0;
          const sizes: number[] = [];
          const embedder: Embedder = functionEmbedder(
            async (texts) => {
              most = Math.max(most, ++underWay);
              sizes.push(texts.length);
              await new Promise((resolve) => setTimeout(resolve, texts.length % 3));
              underWay--;
              return texts.map((text) => hashVector(text, 8));
            },
            { model: 'm', maxBatch },
          );
          const texts = Array.from({ length: 20 }, (_, i) => `doc ${i}`);
          const outcomes = await new CheckedEmbedder(embedder, { concurrency }).embedEach(texts, {
            kind: 'document',
          });
          texts.forEach((text, i) => {
            expectVector(outcomes[i], normal(hashVector(text, 8)));
          });
          expect(Math.max(...sizes)).toBeLessThanOrEqual(maxBatch);
          expect(most).toBeLessThanOrEqual(concurrency);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('an empty text is rejected without a request, and the rest is embedded', async () => {
    const outcomes = await checked().embedEach(['', 'kiln', ' \n'], { kind: 'document' });
    expect(codes(outcomes)).toEqual(['embedder-rejected', 'ok', 'embedder-rejected']);
    expect(server.inputs).toEqual(['kiln']);
  });

  it('no texts: no request', async () => {
    expect(await checked().embedEach([], { kind: 'document' })).toEqual([]);
    expect(server.requests).toHaveLength(0);
  });

  it('half of a surrogate pair arrives as valid text', async () => {
    const [outcome] = await checked().embedEach(['kiln \ud83d'], { kind: 'document' });
    expect(outcome?.ok).toBe(true);
    expect(server.inputs).toEqual(['kiln \ufffd']);
  });

  it("errors of a provider's client in a function are told apart by their status", async () => {
    const failing = (error: unknown) =>
      new CheckedEmbedder(
        functionEmbedder(
          () => {
            throw error;
          },
          { model: 'm' },
        ),
        { retries: 0 },
      ).embedEach(['x'], { kind: 'document' });
    expect(codes(await failing(Object.assign(new Error('no'), { status: 401 })))).toEqual(['embedder-auth']);
    expect(codes(await failing(Object.assign(new Error('long'), { status_code: 400 })))).toEqual([
      'embedder-rejected',
    ]);
    expect(codes(await failing(new Error('odd')))).toEqual(['embedder-unavailable']);
    expect(codes(await failing('a string'))).toEqual(['embedder-unavailable']);
  });
});
