import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CorvidError, defaults, type EmbedderSpec, type Memory, open } from '../index.js';
import { quote } from './text-file.js';

/** Opens a store in a new folder, and removes both at the end, whatever happens in between. */
export async function withTemporaryStore<T>(
  o: { storeDir?: string | undefined; embedder?: EmbedderSpec | undefined },
  use: (memory: Memory) => Promise<T>,
): Promise<T> {
  const folder = makeFolder(o.storeDir ?? tmpdir());
  try {
    const memory = await open({
      path: join(folder, 'corvid.db'),
      clock: { now: () => defaults.eval.now },
      embedder: o.embedder,
    });
    try {
      return await use(memory);
    } finally {
      await memory.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeFolder(parent: string): string {
  try {
    return mkdtempSync(join(parent, 'corvid-eval-'));
  } catch (cause) {
    throw new CorvidError('io', `No temporary store can be made in ${quote(parent)}.`, {
      hint: 'Name a folder that exists and may be written to.',
      cause,
    });
  }
}
