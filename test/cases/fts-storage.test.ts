import { describe, expect, it } from 'vitest';
import { checkIndex } from '../support/check-index.js';
import { addAll, ids, tempStore } from '../support/temp.js';

describe('S01 an item that is added again, or removed, leaves no ghost words', () => {
  it('the old words are gone, the new ones are there once', async () => {
    const memory = await tempStore();
    await addAll(memory, { p1: 'copper boiler' });
    await addAll(memory, { p1: 'steel boiler' });
    expect(await ids(memory, 'copper')).toEqual([]);
    expect(await ids(memory, 'steel')).toEqual(['p1']);
    await memory.remove('p1');
    expect(await ids(memory, 'steel')).toEqual([]);
    await checkIndex(memory);
  });
});

describe('S02 archiving, editing, restoring and removing in any order keeps the index whole', () => {
  it('an item edited while archived comes back with its new text', async () => {
    const memory = await tempStore();
    await addAll(memory, { a: 'copper boiler', other: 'brass valve' });
    await memory.archive('a');
    await memory.update('a', { text: 'steel boiler' });
    expect(await ids(memory, 'steel')).toEqual([]);
    await memory.restore('a');
    expect(await ids(memory, 'steel')).toEqual(['a']);
    expect(await ids(memory, 'copper')).toEqual([]);
    await memory.archive('a');
    await memory.archive('a');
    await memory.remove('a');
    await memory.remove('a');
    expect(await ids(memory, 'boiler', { include: ['archived'] })).toEqual([]);
    await memory.remove('other');
    expect((await memory.list({ include: ['archived', 'superseded', 'expired'] })).items).toEqual([]);
    await checkIndex(memory);
  });
});

describe('S03 reading does not write the index', () => {
  it('searching changes no byte of the file', async () => {
    const memory = await tempStore();
    await addAll(
      memory,
      Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`i${i}`, `kiln number ${i} `.repeat(200)])),
    );
    const before = (await memory.status()).sizeBytes;
    for (let i = 0; i < 50; i++) await memory.search('kiln', { touch: false });
    expect((await memory.status()).sizeBytes).toBe(before);
  });
});
