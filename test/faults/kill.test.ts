import { fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { open } from '../../src/index.js';
import { checkFile } from '../support/check-index.js';
import { EmbeddingServer } from '../support/embedding-server.js';
import { tempFolder } from '../support/temp.js';

const writer = fileURLToPath(new URL('../support/embedding-writer.mjs', import.meta.url));
/** `npm run drill:kill` asks for 50. */
const kills = Number(process.env['CORVID_DRILL_KILLS'] ?? 5);
const FILES = 120;

/** What the embedder gets for each chunk in the file, by chunk, and the bytes of its vector. */
function vectorsOf(path: string): { title: string; text: string; vector: Buffer }[] {
  const db = new Sqlite(path, { readonly: true });
  try {
    return db
      .prepare(
        `SELECT i.title, substr(CAST(i.text AS BLOB), c.byte_start + 1, c.byte_length) AS text, e.vector
         FROM embeddings e JOIN chunks c ON c.chunk = e.chunk JOIN items i ON i.item_key = c.item_key`,
      )
      .all()
      .map((row) => {
        const { title, text, vector } = row as { title: string; text: Buffer; vector: Buffer };
        return { title, text: text.toString('utf8'), vector };
      });
  } finally {
    db.close();
  }
}

function embeddedChunks(path: string): Set<number> {
  const db = new Sqlite(path, { readonly: true });
  try {
    return new Set(db.prepare('SELECT chunk FROM embeddings').pluck().all() as number[]);
  } finally {
    db.close();
  }
}

it(`a process that is killed ${kills} times while it ingests and embeds loses no job, embeds no text twice after its commit, and puts no vector on a wrong text`, async () => {
  const server = await EmbeddingServer.start({ fault: () => ({ delayMs: 10 }) });
  const folder = tempFolder();
  const notes = join(folder, 'notes');
  mkdirSync(notes);
  const path = join(folder, 'corvid.db');
  const write = (i: number, version: number) =>
    writeFileSync(join(notes, `n${i}.md`), `# Note ${i}\n\nkiln reading ${i} of version ${version}\n`);
  for (let i = 0; i < FILES; i++) write(i, 0);
  try {
    for (let kill = 1; kill <= kills; kill++) {
      const before = kill === 1 ? new Set<number>() : embeddedChunks(path);
      const asked = server.inputs.length;
      const child = fork(writer, [path, notes, server.url], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      await new Promise((resolve) => child.once('message', resolve));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 250));
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
      checkFile(path);
      const db = new Sqlite(path, { readonly: true });
      const unaccounted = db
        .prepare(
          `SELECT count(*) FROM chunks c WHERE NOT EXISTS (SELECT 1 FROM embeddings e WHERE e.chunk = c.chunk)
               AND NOT EXISTS (SELECT 1 FROM embedding_jobs j WHERE j.chunk = c.chunk)`,
        )
        .pluck()
        .get();
      expect(unaccounted).toBe(0);
      // A text whose vector was committed before this run is not asked for again while it stands.
      const texts = new Map(
        (
          db
            .prepare('SELECT c.chunk, i.text FROM chunks c JOIN items i ON i.item_key = c.item_key')
            .all() as { chunk: number; text: string }[]
        ).map((row) => [row.chunk, row.text]),
      );
      db.close();
      const again = server.inputs.slice(asked);
      for (const chunk of before) {
        const text = texts.get(chunk);
        if (text !== undefined) expect(again.some((input) => input.includes(text.trim()))).toBe(false);
      }
      for (let i = 0; i < 10; i++) write(Math.floor(Math.random() * FILES), kill);
    }
    const memory = await open({ path, embedder: { provider: 'ollama', model: 'drill', url: server.url } });
    await memory.ingest(notes);
    await memory.drain();
    const { embeddings, chunks } = await memory.status();
    expect(embeddings).toMatchObject({ embedded: chunks, pending: 0, failed: 0 });
    expect(chunks).toBe(FILES);
    await memory.close();
    checkFile(path);
    for (const { title, text, vector } of vectorsOf(path)) {
      const wanted = server.vectorOf([title, title, text].join('\n'));
      const plain = server.vectorOf([title, text].join('\n'));
      const got = new Float32Array(
        vector.buffer.slice(vector.byteOffset, vector.byteOffset + vector.byteLength),
      );
      const cosine = (a: ArrayLike<number>) =>
        Array.from(got).reduce((sum, x, i) => sum + x * a[i]!, 0) / Math.hypot(...Array.from(a));
      expect(Math.max(cosine(wanted), cosine(plain))).toBeGreaterThan(0.9999);
    }
  } finally {
    await server.close();
  }
}, 600_000);
