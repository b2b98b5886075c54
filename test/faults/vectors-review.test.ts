import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { EmbeddingServer } from '../support/embedding-server.js';
import { tempStore } from '../support/temp.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function embeddingServer(
  o: Parameters<typeof EmbeddingServer.start>[0] = {},
): Promise<EmbeddingServer> {
  const server = await EmbeddingServer.start(o);
  closing.push(() => server.close());
  return server;
}

/** An HTTP server that does what the embedding server of the other tests does not. */
async function httpServer(answer: RequestListener): Promise<string> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const on = (url: string, model = 'clay') => ({ provider: 'ollama', model, url });

describe('a server that redirects', () => {
  it('is not followed: no text reaches a server that was not named', async () => {
    const other = await embeddingServer();
    const url = await httpServer((request, response) => {
      request.resume();
      response.writeHead(307, { location: `${other.url}/api/embed` }).end();
    });
    const memory = await tempStore({ embedder: on(url) });
    await memory.add({ id: 'a', text: 'a secret' }, { wait: 'embedded' });
    expect(other.inputs).toEqual([]);
    expect((await memory.status()).embeddings.lastError).toContain(other.url);
  });
});

describe('an answer that never ends', () => {
  it('is cut off, and not kept in memory until the time limit', async () => {
    let sent = 0;
    let ended = false;
    const url = await httpServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' });
      const block = Buffer.alloc(1 << 20, ' ');
      const pour = () => {
        while (!ended && sent < 400 << 20) {
          sent += block.length;
          if (!response.write(block)) return void response.once('drain', pour);
        }
        response.end('{}');
      };
      response.on('close', () => {
        ended = true;
      });
      pour();
    });
    const memory = await tempStore({ embedder: { ...on(url), timeoutMs: 20_000 } });
    await memory.add({ id: 'a', text: 'a' }, { wait: 'embedded' });
    expect((await memory.status()).embeddings).toMatchObject({ pending: 1, failed: 1 });
    expect(sent).toBeLessThan(100 << 20);
  }, 60_000);
});
