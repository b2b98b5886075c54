import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddingServer } from './embedding-server.js';

let server: EmbeddingServer;

beforeEach(async () => {
  server = await EmbeddingServer.start({ dimensions: 8 });
});
afterEach(() => server.close());

const rounded = (vector: readonly number[]) => vector.map((x) => Math.fround(x));

describe('the embedding server, asked by the official clients', () => {
  it('gives the ollama client one vector a text', async () => {
    const answer = await new Ollama({ host: server.url }).embed({ model: 'm', input: ['kiln', 'glaze'] });
    expect(answer.embeddings).toEqual([server.vectorOf('kiln'), server.vectorOf('glaze')]);
  });

  it('gives the ollama client the error of a text that is too long', async () => {
    server.options.maxChars = 10;
    await expect(
      new Ollama({ host: server.url }).embed({ model: 'm', input: 'a text of more than ten' }),
    ).rejects.toMatchObject({ status_code: 400, message: 'the input length exceeds the context length' });
  });

  it('gives the openai client vectors as numbers, and in base64', async () => {
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'k', maxRetries: 0 });
    const plain = await client.embeddings.create({ model: 'm', input: ['kiln'], encoding_format: 'float' });
    expect(plain.data[0]?.embedding).toEqual(server.vectorOf('kiln'));
    // The client asks for base64 by itself and decodes it.
    const decoded = await client.embeddings.create({ model: 'm', input: ['glaze', 'kiln'] });
    expect(server.requests.at(-1)?.body.encoding_format).toBe('base64');
    expect(decoded.data.map((entry) => entry.index)).toEqual([0, 1]);
    expect([...decoded.data[1]!.embedding]).toEqual(rounded(server.vectorOf('kiln')));
  });

  it('gives the openai client shorter vectors and typed errors', async () => {
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'wrong', maxRetries: 0 });
    const cut = await client.embeddings.create({
      model: 'm',
      input: 'kiln',
      dimensions: 4,
      encoding_format: 'float',
    });
    expect(cut.data[0]?.embedding).toHaveLength(4);
    server.options.key = 'right';
    await expect(client.embeddings.create({ model: 'm', input: 'kiln' })).rejects.toBeInstanceOf(
      OpenAI.AuthenticationError,
    );
    server.options = { fault: () => ({ status: 429, headers: { 'retry-after': '1' } }) };
    await expect(client.embeddings.create({ model: 'm', input: 'kiln' })).rejects.toBeInstanceOf(
      OpenAI.RateLimitError,
    );
  });

  it('refuses connections while closed, and answers on the same port afterwards', async () => {
    const client = new Ollama({ host: server.url });
    const { url } = server;
    await server.close();
    await expect(client.embed({ model: 'm', input: 'kiln' })).rejects.toThrow('fetch failed');
    await server.listen();
    expect(server.url).toBe(url);
    expect((await client.embed({ model: 'm', input: 'kiln' })).embeddings).toHaveLength(1);
  });

  it('puts texts that share words near each other', () => {
    const cosine = (a: string, b: string) => {
      const [x, y] = [server.vectorOf(a), server.vectorOf(b)];
      const dot = (p: number[], q: number[]) => p.reduce((sum, value, i) => sum + value * q[i]!, 0);
      return dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y));
    };
    server.options.dimensions = 64;
    expect(cosine('the kiln is hot', 'the kiln is cold')).toBeGreaterThan(0.5);
    expect(cosine('the kiln is hot', 'ochre lighthouse')).toBeLessThan(0.4);
  });
});
