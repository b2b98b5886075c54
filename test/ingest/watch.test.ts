import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type IngestSummary, type Memory, open, type WatchOptions } from '../../src/index.js';
import { watchFolder } from '../../src/ingest/watch.js';
import { ids, tempFolder } from '../support/temp.js';

const running: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
});

interface Running {
  memory: Memory;
  syncs: IngestSummary[];
  errors: unknown[];
  stop: () => Promise<void>;
}

/** A store in the watched folder itself, and a watch that has done its first sync. */
async function start(folder: string, o: Partial<WatchOptions> = {}, before?: () => void): Promise<Running> {
  const path = join(folder, 'store.md');
  const memory = await open(path);
  const controller = new AbortController();
  const syncs: IngestSummary[] = [];
  const errors: unknown[] = [];
  const sync = async () => {
    before?.();
    return memory.ingest(folder, { allowEmpty: true });
  };
  const done = watchFolder(folder, sync, {
    signal: controller.signal,
    avoid: [path, `${path}-wal`, `${path}-shm`],
    debounceMs: 100,
    onSync: (summary) => syncs.push(summary),
    onError: (error) => errors.push(error),
    ...o,
  });
  const stop = async () => {
    controller.abort();
    await done;
    await memory.close();
  };
  running.push(stop);
  await until(() => syncs.length + errors.length > 0);
  return { memory, syncs, errors, stop };
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 15_000;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error('It did not come about.');
    await sleep(20);
  }
}

const finds = (memory: Memory, word: string) => async () => (await ids(memory, word)).length > 0;
const findsNot = (memory: Memory, word: string) => async () => (await ids(memory, word)).length === 0;

describe('T12 a watched folder', () => {
  it('is in the index from the start, and follows new, edited, renamed and deleted files', async () => {
    const folder = tempFolder();
    await writeFile(join(folder, 'a.md'), 'kiln');
    const { memory } = await start(folder);
    const [id] = await ids(memory, 'kiln');
    await mkdir(join(folder, 'sub'));
    await writeFile(join(folder, 'sub/b.md'), 'glaze');
    await until(finds(memory, 'glaze'));
    await writeFile(join(folder, 'a.md'), 'porcelain');
    await until(finds(memory, 'porcelain'));
    expect(await ids(memory, 'kiln')).toEqual([]);
    await rename(join(folder, 'a.md'), join(folder, 'sub/c.md'));
    await until(async () => (await memory.get(id ?? ''))?.uri === 'sub/c.md');
    await rm(join(folder, 'sub/b.md'));
    await until(findsNot(memory, 'glaze'));
    expect((await memory.status()).items.total).toBe(1);
  });

  it('takes 500 writes in 2 seconds in at most 3 syncs, and the last text is found', async () => {
    const folder = tempFolder();
    const { memory, syncs } = await start(folder, { debounceMs: 300, maxWaitMs: 2000 });
    const before = syncs.length;
    const begin = performance.now();
    for (let i = 0; i < 500; i++) {
      await writeFile(join(folder, 'storm.md'), `draft${i}`);
      const ahead = begin + i * 4 - performance.now();
      if (ahead > 1) await sleep(ahead);
    }
    await until(finds(memory, 'draft499'));
    await sleep(800);
    expect(syncs.length - before).toBeLessThanOrEqual(3);
    expect(syncs.length - before).toBeGreaterThan(0);
    expect((await memory.status()).items.total).toBe(1);
  });

  it('is left alone by its own store, ignored folders, hidden files and files of other kinds', async () => {
    const folder = tempFolder();
    await writeFile(join(folder, '.gitignore'), 'out/\n');
    await mkdir(join(folder, 'out'));
    await mkdir(join(folder, 'node_modules'));
    const { memory, syncs } = await start(folder);
    const before = syncs.length;
    await memory.add({ text: 'written to the store, which lies in the folder' });
    await writeFile(join(folder, 'out/a.md'), 'ignored');
    await writeFile(join(folder, 'node_modules/a.md'), 'ignored');
    await writeFile(join(folder, '.hidden.md'), 'ignored');
    await writeFile(join(folder, 'picture.png'), 'ignored');
    await sleep(700);
    expect(syncs.length).toBe(before);
    await writeFile(join(folder, '.gitignore'), '');
    await until(finds(memory, 'ignored'));
    await writeFile(join(folder, 'out/a.md'), 'watched by now');
    await until(finds(memory, 'watched'));
  });

  it('runs one sync at a time, and one more for what changed meanwhile', async () => {
    const folder = tempFolder();
    let active = 0;
    let most = 0;
    let calls = 0;
    const controller = new AbortController();
    const done = watchFolder(
      folder,
      async () => {
        calls++;
        most = Math.max(most, ++active);
        await sleep(300);
        active--;
        return {} as IngestSummary;
      },
      { signal: controller.signal, debounceMs: 20, maxWaitMs: 50 },
    );
    await until(() => calls === 1);
    for (let i = 0; i < 10; i++) {
      await writeFile(join(folder, `n${i}.md`), 'x');
      await sleep(20);
    }
    await until(() => calls >= 2 && active === 0);
    controller.abort();
    await done;
    expect(most).toBe(1);
    expect(calls).toBeLessThanOrEqual(4);
  });

  it('survives a sync that fails, tells about it and tries again', async () => {
    const folder = tempFolder();
    await writeFile(join(folder, 'a.md'), 'kiln');
    let fail = true;
    const { memory, errors, syncs } = await start(folder, {}, () => {
      if (fail) throw new Error('not now');
    });
    expect(errors).toMatchObject([{ message: 'not now' }]);
    fail = false;
    await until(() => syncs.length > 0);
    expect(await ids(memory, 'kiln')).toHaveLength(1);
    await writeFile(join(folder, 'b.md'), 'glaze');
    await until(finds(memory, 'glaze'));
  });

  it('works by polling', async () => {
    const folder = tempFolder();
    const { memory } = await start(folder, { usePolling: true });
    await writeFile(join(folder, 'a.md'), 'kiln');
    await until(finds(memory, 'kiln'));
  });

  it('ends at the signal, before it has begun, too', async () => {
    const folder = tempFolder();
    const { stop, syncs } = await start(folder);
    await stop();
    running.length = 0;
    const count = syncs.length;
    await writeFile(join(folder, 'a.md'), 'late');
    await sleep(300);
    expect(syncs.length).toBe(count);
    const never = () => Promise.reject(new Error('called'));
    await watchFolder(folder, never, { signal: AbortSignal.abort() });
  });

  it('refuses what is no folder', async () => {
    const folder = tempFolder();
    await writeFile(join(folder, 'a.md'), 'x');
    const never = () => Promise.reject(new Error('called'));
    const { signal } = new AbortController();
    await expect(watchFolder(join(folder, 'none'), never, { signal })).rejects.toMatchObject({
      code: 'no-such-file',
    });
    await expect(watchFolder(join(folder, 'a.md'), never, { signal })).rejects.toMatchObject({
      code: 'invalid-argument',
    });
  });
});
