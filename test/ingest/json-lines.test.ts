import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Memory } from '../../src/index.js';
import { checkIndex } from '../support/check-index.js';
import { ids, tempFolder, tempStore } from '../support/temp.js';

const lines = (...values: unknown[]) =>
  `${values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n')}\n`;

async function byText(
  memory: Memory,
): Promise<Map<string, { id: string; uri: string | null; updatedAt: number }>> {
  const { items } = await memory.list({ limit: 1000 });
  return new Map(items.map(({ text, id, uri, updatedAt }) => [text, { id, uri, updatedAt }]));
}

describe('JSON Lines of items', () => {
  it('give an item a line with its fields, under the id that it names or one of its own', async () => {
    const folder = tempFolder();
    const memory = await tempStore();
    await writeFile(
      join(folder, 'items.jsonl'),
      lines(
        { id: 'kiln/1', text: 'The kiln is hot.', title: 'Kiln', tags: ['clay'], kind: 'note', cone: 6 },
        '',
        { text: 'A glaze ran.', speaker: 'Mara', occurredAt: '2031-07-19T10:30:00Z', meta: { shelf: 2 } },
      ),
    );
    expect(await memory.ingest(folder, { tags: ['all'] })).toMatchObject({ files: 1, added: 2, skipped: [] });
    expect(await memory.get('kiln/1')).toMatchObject({
      uri: 'items.jsonl#kiln%2F1',
      kind: 'note',
      title: 'Kiln',
      tags: ['clay', 'all'],
      meta: { cone: 6 },
    });
    const second = (await memory.list()).items.find(({ text }) => text === 'A glaze ran.');
    expect(second).toMatchObject({
      uri: 'items.jsonl#3',
      kind: 'document',
      speaker: 'Mara',
      occurredAt: Date.UTC(2031, 6, 19, 10, 30),
      meta: { shelf: 2 },
    });
    await checkIndex(memory);
  });

  it('are written again only where a line changed: edits, insertions and deletions touch their own item', async () => {
    const folder = tempFolder();
    const memory = await tempStore();
    const file = join(folder, 'notes.ndjson');
    const note = (text: string) => ({ text });
    await writeFile(
      file,
      lines(note('one'), note('two'), { id: 'x', text: 'three' }, note('four'), note('two')),
    );
    expect(await memory.ingest(folder)).toMatchObject({ added: 5 });
    const before = await memory.list();
    expect(await memory.ingest(folder)).toMatchObject({
      added: 0,
      updated: 0,
      unchanged: 5,
      removed: 0,
      chunks: 0,
    });

    await writeFile(
      file,
      lines(
        note('zero'),
        note('one'),
        note('two'),
        { id: 'x', text: 'three!' },
        note('four, edited'),
        note('two'),
      ),
    );
    // "zero" is new, "x" edited, and "four" is known by the line that stands before it.
    expect(await memory.ingest(folder)).toMatchObject({
      added: 1,
      updated: 2,
      unchanged: 3,
      renamed: 0,
      removed: 0,
      skipped: [],
    });
    const after = await memory.list();
    const idOf = (list: typeof before, text: string) =>
      list.items.filter((i) => i.text === text).map((i) => i.id);
    for (const text of ['one', 'two']) expect(idOf(after, text).sort()).toEqual(idOf(before, text).sort());
    expect(idOf(after, 'three!')).toEqual(['x']);
    expect(idOf(after, 'four, edited')).toEqual(idOf(before, 'four'));
    expect(after.items).toHaveLength(6);

    await writeFile(file, lines(note('one'), { id: 'x', text: 'three!' }));
    expect(await memory.ingest(folder)).toMatchObject({ unchanged: 2, removed: 4, updated: 0, added: 0 });
    expect(await ids(memory, 'zero')).toEqual([]);
    await checkIndex(memory);
  });

  it('keep the ids of an edited line without an id, and of all lines of a file that moves', async () => {
    const folder = tempFolder();
    const memory = await tempStore();
    await writeFile(
      join(folder, 'a.jsonl'),
      lines({ text: 'one' }, { text: 'two' }, { id: 'x', text: 'three' }),
    );
    await memory.ingest(folder);
    const before = await byText(memory);
    await writeFile(
      join(folder, 'a.jsonl'),
      lines({ text: 'one' }, { text: 'second' }, { id: 'x', text: 'three' }),
    );
    expect(await memory.ingest(folder)).toMatchObject({ updated: 1, unchanged: 2, added: 0, removed: 0 });
    expect((await byText(memory)).get('second')?.id).toBe(before.get('two')?.id);
    await rename(join(folder, 'a.jsonl'), join(folder, 'b.jsonl'));
    expect(await memory.ingest(folder)).toMatchObject({ renamed: 3, added: 0, removed: 0 });
    const moved = await byText(memory);
    expect(moved.get('one')).toMatchObject({ id: before.get('one')?.id, uri: 'b.jsonl#1' });
    expect(moved.get('three')).toMatchObject({ id: 'x', uri: 'b.jsonl#x' });
    await writeFile(join(folder, 'c.md'), 'other');
    await rm(join(folder, 'b.jsonl'));
    expect(await memory.ingest(folder)).toMatchObject({ removed: 3, added: 1 });
    await checkIndex(memory);
  });

  it('report a bad line by its number and take the others', async () => {
    const folder = tempFolder();
    const memory = await tempStore();
    await memory.add({ id: 'taken', text: 'somebody else' });
    await writeFile(
      join(folder, 'items.jsonl'),
      lines(
        { text: 'good' },
        '{"text": "torn',
        '[1]',
        { title: '  ' },
        { text: 'a', kind: 'poem' },
        { text: 'b', occurredAt: 'yesterday' },
        { text: 'c', tags: [1] },
        { text: 'd', scope: { visibility: 'global' } },
        { id: 'taken', text: 'e' },
        { id: 'x', text: 'first' },
        { id: 'x', text: 'again' },
        { text: 'also good' },
      ),
    );
    const summary = await memory.ingest(folder);
    expect(summary.added).toBe(3);
    expect(summary.skipped.map(({ path, reason }) => `${path} ${reason}`)).toEqual(
      [2, 3, 4, 5, 6, 7, 8, 9, 11].map((line) => `items.jsonl:${line} bad-line`),
    );
    for (const { detail } of summary.skipped) expect(detail).not.toBe('');
    expect((await memory.get('taken'))?.text).toBe('somebody else');
    expect((await memory.get('x'))?.text).toBe('first');
    expect(await memory.ingest(folder)).toMatchObject({ added: 0, updated: 0, unchanged: 3, removed: 0 });
  });

  it('keep the item of a line that has become bad', async () => {
    const folder = tempFolder();
    const memory = await tempStore();
    await writeFile(join(folder, 'a.jsonl'), lines({ text: 'one' }, { text: 'two' }));
    await memory.ingest(folder);
    await writeFile(join(folder, 'a.jsonl'), lines({ text: 'one' }, '{"text": "tw'));
    const { skipped, removed } = await memory.ingest(folder);
    expect(skipped).toMatchObject([{ path: 'a.jsonl:2', detail: expect.stringContaining('is kept') }]);
    expect(removed).toBe(0);
    expect([...(await byText(memory)).keys()].sort()).toEqual(['one', 'two']);
  });

  it('end with the file: one that is empty by now has no items left, one too large keeps them', async () => {
    const folder = tempFolder();
    const memory = await tempStore();
    await writeFile(join(folder, 'a.jsonl'), lines({ text: 'one' }, { text: 'two' }));
    await memory.ingest(folder);
    expect(await memory.ingest(folder, { maxFileBytes: 5 })).toMatchObject({
      removed: 0,
      skipped: [{ path: 'a.jsonl', reason: 'too-large' }],
    });
    await writeFile(join(folder, 'a.jsonl'), '');
    expect(await memory.ingest(folder)).toMatchObject({ removed: 2, skipped: [{ reason: 'empty' }] });
  });

  it('can be aborted in the middle of a file; the next run does the rest', async () => {
    const folder = tempFolder();
    const memory = await tempStore();
    const all = Array.from({ length: 950 }, (_, i) => ({ text: `note ${i}` }));
    await writeFile(join(folder, 'a.jsonl'), lines(...all));
    const controller = new AbortController();
    const run = memory.ingest(folder, { signal: controller.signal });
    const poll = setInterval(async () => {
      if ((await memory.status()).items.total > 0) controller.abort();
    }, 1);
    await expect(run).rejects.toMatchObject({ code: 'aborted' });
    clearInterval(poll);
    const { total } = (await memory.status()).items;
    expect(total).toBeGreaterThan(0);
    expect(total).toBeLessThan(950);
    expect(await memory.ingest(folder)).toMatchObject({ added: 950 - total, unchanged: total, removed: 0 });
    await checkIndex(memory);
  });
});

describe('a transcript', () => {
  it('gives a message a line, with speaker, time and session', async () => {
    const folder = tempFolder();
    const memory = await tempStore();
    await writeFile(
      join(folder, 'talk.jsonl'),
      lines(
        '',
        { speaker: 'Mara', text: 'The kiln is hot.', at: '2031-07-19T10:30:00Z', session: 's1' },
        { speaker: 'Ole', text: 'Then wait.', at: 1_942_223_460_000 },
        { speaker: 'Ole', text: 'When?' },
      ),
    );
    const summary = await memory.ingest(folder);
    expect(summary).toMatchObject({ added: 2, skipped: [{ path: 'talk.jsonl:4', reason: 'bad-line' }] });
    const { items } = await memory.list();
    expect(items.find(({ speaker }) => speaker === 'Mara')).toMatchObject({
      kind: 'message',
      text: 'The kiln is hot.',
      occurredAt: Date.UTC(2031, 6, 19, 10, 30),
      tags: [],
      meta: { session: 's1' },
    });
    expect(items.find(({ speaker }) => speaker === 'Ole')).toMatchObject({
      kind: 'message',
      occurredAt: 1_942_223_460_000,
    });
  });
});
