/**
 * What embedding in the background costs searches: medians over the same questions while 5,000 chunks are embedded by a
 * server that takes 30 ms a batch, and afterwards, when nothing is left to do.
 */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open } from '../src/index.js';
import { median, seeded, zipfWords } from './support/random.js';

const chunks = Number(process.argv[2] ?? 5000);
const folder = mkdtempSync(join(tmpdir(), 'corvid-bench-'));
const server = fork(
  fileURLToPath(new URL('./support/embedding-server-process.ts', import.meta.url)),
  ['30'],
  {
    execArgv: ['--import', 'tsx'],
  },
);
const url = await new Promise<string>((resolve) =>
  server.once('message', (message) => resolve(String(message))),
);
try {
  const random = seeded(3);
  const word = zipfWords(random, 20_000);
  const memory = await open({
    path: join(folder, 'bench.db'),
    embedder: { provider: 'ollama', model: 'bench', url },
  });
  await memory.addMany(
    Array.from({ length: chunks }, () => ({
      kind: 'document' as const,
      text: Array.from({ length: 40 }, word).join(' '),
    })),
  );
  const ask = async (streams: ('lexical' | 'vector')[]) => {
    // A caller that never lets the event loop turn would starve the worker; what is timed begins after the turn.
    await new Promise((resolve) => setImmediate(resolve));
    const text = Array.from({ length: 6 }, word).join(' ');
    const start = performance.now();
    await memory.search(text, { streams, touch: false });
    return performance.now() - start;
  };
  const busy: Record<string, number[]> = { lexical: [], hybrid: [] };
  let pending = chunks;
  while (pending > 0) {
    busy.lexical!.push(await ask(['lexical']));
    busy.hybrid!.push(await ask(['lexical', 'vector']));
    pending = (await memory.status()).embeddings.pending;
  }
  await memory.drain();
  const idle: Record<string, number[]> = { lexical: [], hybrid: [] };
  for (let i = 0; i < Math.max(60, busy.lexical!.length); i++) {
    idle.lexical!.push(await ask(['lexical']));
    idle.hybrid!.push(await ask(['lexical', 'vector']));
  }
  for (const name of ['lexical', 'hybrid']) {
    const [b, i] = [median(busy[name]!), median(idle[name]!)];
    console.log(
      `${name}: ${b.toFixed(2)} ms while embedding (${busy[name]!.length} searches), ${i.toFixed(2)} ms idle, ${(b / i).toFixed(2)} ×`,
    );
  }
  await memory.close();
} finally {
  server.disconnect();
  rmSync(folder, { recursive: true, force: true });
}
