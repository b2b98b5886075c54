import { mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { open } from '../../src/index.js';
import { ids, tempFolder, tempStore } from '../support/temp.js';

function vault(): string {
  const folder = join(tempFolder(), 'vault');
  mkdirSync(folder);
  for (const name of ['a', 'b', 'c'])
    writeFileSync(join(folder, `${name}.md`), `# Note ${name}\n\nkiln ${name}\n`);
  return folder;
}

describe('who asks', () => {
  it('a viewer whose user is null is nobody, whatever the store opens with', async () => {
    const memory = await open({ path: ':memory:', viewer: { user: 'u1' }, scope: { user: 'u1' } });
    await memory.add({ id: 'p', text: 'secret' });
    expect((await memory.get('p'))?.text).toBe('secret');
    expect(await memory.get('p', { viewer: { user: null } })).toBeNull();
    expect(await ids(memory, 'secret', { viewer: { user: null } })).toEqual([]);
    await memory.close();
  });

  it('a named viewer neither replaces nor compares an item that it cannot see, though it names the very scope', async () => {
    const memory = await tempStore();
    await memory.add({ id: 'p', text: 'pin 1234', scope: { user: 'alice' } });
    const bob = { viewer: { user: 'bob' } };
    for (const text of ['pin 1234', 'pin 1111']) {
      await expect(memory.add({ id: 'p', text, scope: { user: 'alice' } }, bob)).rejects.toMatchObject({
        code: 'id-conflict',
      });
    }
    expect((await memory.get('p', { viewer: { user: 'alice' } }))!.text).toBe('pin 1234');
    expect((await memory.add({ id: 'p', text: 'pin 2', scope: { user: 'alice' } })).status).toBe('updated');
  });

  it('the status of a source says nothing of what others ingest from the same folder', async () => {
    let now = 1_000_000;
    const memory = await tempStore({ clock: { now: () => now } });
    const folder = vault();
    await memory.ingest(folder);
    const before = (await memory.status()).sources;
    now += 5000;
    await memory.ingest(folder, { scope: { user: 'b' } });
    expect((await memory.status()).sources).toEqual(before);
  });
});

describe('the same folder', () => {
  it('ingested twice at the same time is there once, and later edits and removals leave nothing behind', async () => {
    const path = join(tempFolder(), 'corvid.db');
    const folder = vault();
    const [one, two] = [await open(path), await open(path)];
    await Promise.all([one.ingest(folder), one.ingest(folder), two.ingest(folder)]);
    expect((await one.status()).items.total).toBe(3);
    writeFileSync(join(folder, 'a.md'), '# Note a\n\nglaze\n');
    unlinkSync(join(folder, 'b.md'));
    await one.ingest(folder);
    expect((await ids(one, 'kiln')).length).toBe(1);
    expect((await ids(one, 'glaze')).length).toBe(1);
    await one.close();
    await two.close();
  });

  it('edited, keeps what a user set on its items and the file does not say', async () => {
    const memory = await tempStore();
    const folder = vault();
    await memory.ingest(folder);
    const id = (await memory.list()).items.find((item) => item.uri === 'a.md')!.id;
    await memory.update(id, { pinned: true, importance: 1, strength: 3, expiresAt: '2090-01-01' });
    writeFileSync(join(folder, 'a.md'), '# Note a\n\nglaze\n');
    await memory.ingest(folder);
    expect(await memory.get(id)).toMatchObject({
      pinned: true,
      importance: 1,
      strength: 3,
      expiresAt: Date.UTC(2090, 0, 1),
    });
    writeFileSync(join(folder, 'a.md'), '---\nimportance: 0.2\n---\n# Note a\n\nglaze\n');
    await memory.ingest(folder);
    expect(await memory.get(id)).toMatchObject({ pinned: true, importance: 0.2 });
  });
});

describe('odd values', () => {
  it('end in an error that names them', async () => {
    const memory = await tempStore();
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    let deep: unknown = 1;
    for (let i = 0; i < 20_000; i++) deep = { deep };
    for (const meta of [cyclic, { deep }]) {
      await expect(memory.add({ text: 'x', meta } as object)).rejects.toMatchObject({
        code: 'invalid-argument',
      });
    }
    await expect(memory.addMany(5 as never)).rejects.toMatchObject({ code: 'invalid-argument' });
    const tags = Array.from({ length: 1000 }, (_, i) => `t${i}`);
    await memory.add({ text: 'x', tags });
    await expect(memory.list({ filter: { tags } })).rejects.toMatchObject({ code: 'invalid-argument' });
    await expect(open({ path: ':memory:', clock: { now: () => Number.NaN } })).rejects.toThrow(/clock/);
    await (await open({ path: ':memory:', clock: { now: () => 1.5 } })).close();
  });

  it('a tag with blanks around it is the tag', async () => {
    const memory = await tempStore();
    await memory.add({ id: 'a', text: 'kiln', tags: [' hot '] });
    expect(await ids(memory, 'kiln', { filter: { tags: [' hot '] } })).toEqual(['a']);
  });

  it('every call of a closed store says that it is closed', async () => {
    const memory = await tempStore();
    await memory.close();
    for (const call of [memory.drain(), memory.addMany([]), memory.embed(), memory.list(), memory.status()]) {
      await expect(call).rejects.toMatchObject({ code: 'closed' });
    }
  });

  it('forgetting the last item of a user leaves no name of the user, room, project or source', async () => {
    const memory = await tempStore();
    const { path } = await memory.status();
    await memory.add({ text: 'stays' });
    await memory.add({
      id: 'x',
      text: 'goes',
      source: 'sourcename77',
      scope: { user: 'username77', room: 'roomname77', project: 'projectname77', visibility: 'personal' },
    });
    const viewer = { user: 'username77', project: 'projectname77' };
    expect(await memory.forget('x', { viewer })).toMatchObject({ removed: true, erased: true });
    const bytes = readFileSync(path);
    for (const name of ['sourcename77', 'username77', 'roomname77', 'projectname77']) {
      expect(bytes.includes(name), name).toBe(false);
    }
  });
});
