import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { type Memory, type NewItem, type OpenOptions, open } from '../../src/index.js';

/** A folder that is gone after the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'corvid-test-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A store in a real file that is closed and removed after the test. */
export async function tempStore(o: OpenOptions = {}): Promise<Memory> {
  const memory = await open({ path: join(tempFolder(), 'corvid.db'), ...o });
  cleanups.push(() => memory.close());
  return memory;
}

/** Adds items by short names: the name is the id. A plain string is the text of a document. */
export async function addAll(memory: Memory, items: Record<string, string | NewItem>): Promise<void> {
  await memory.addMany(
    Object.entries(items).map(([id, item]) =>
      typeof item === 'string' ? { id, kind: 'document', text: item } : { id, kind: 'document', ...item },
    ),
  );
}

/** Ids of the hits, best first. */
export async function ids(
  memory: Memory,
  text: string,
  o: Parameters<Memory['search']>[1] = {},
): Promise<string[]> {
  return (await memory.search(text, o)).hits.map((hit) => hit.id);
}

const cleanups: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});
