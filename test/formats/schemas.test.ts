import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { open } from '../../src/index.js';
import { SCHEMA_VERSION } from '../../src/store/migrations.js';
import { checkFile } from '../support/check-index.js';
import { ids, tempFolder } from '../support/temp.js';

const folder = fileURLToPath(new URL('.', import.meta.url));
const fixtures = readdirSync(folder).filter((file) => /^schema-\d+\.db$/.test(file));
const time = Date.UTC(2026, 11, 1);

it('there is a fixture of the present schema', () => {
  expect(fixtures).toContain(`schema-${SCHEMA_VERSION}.db`);
});

describe.each(fixtures)('a file of %s', (fixture) => {
  it('opens, holds what was stored, is searched, and takes new items', async () => {
    const path = join(tempFolder(), fixture);
    copyFileSync(join(folder, fixture), path);
    const memory = await open({ path, clock: { now: () => time } });
    const ann = { viewer: { user: 'ann', rooms: ['r1'] } };
    expect((await memory.status(ann)).schemaVersion).toBe(SCHEMA_VERSION);
    expect((await memory.status(ann)).items).toMatchObject({ total: 6, active: 4, archived: 1, expired: 1 });
    expect(await memory.get('plain')).toMatchObject({ text: 'Oz prefers dark mode', tags: ['preference'] });
    expect(await memory.get('document')).toMatchObject({
      title: 'Kiln book',
      source: 'books',
      meta: { pages: 12 },
    });
    expect(await ids(memory, 'dark mode')).toEqual(['plain']);
    expect(await ids(memory, 'ferry')).toEqual([]);
    expect((await ids(memory, 'ferry', ann)).sort()).toEqual(['personal', 'room']);
    expect(await ids(memory, '温度')).toEqual(['document']);
    expect(await ids(memory, 'flushTileCache')).toEqual(['document']);
    expect(await ids(memory, 'boiler')).toEqual([]);
    await memory.restore('archived');
    expect(await ids(memory, 'boiler')).toEqual(['archived']);
    await memory.add({ id: 'new', text: 'dark chocolate' });
    expect((await ids(memory, 'dark')).sort()).toEqual(['new', 'plain']);
    const { hits } = await memory.search('kiln fired', { groupBy: 'chunk' });
    const text = (await memory.get('document'))!.text;
    for (const hit of hits) expect(hit.text).toBe(text.slice(hit.chunk.start, hit.chunk.end));
    await memory.close();
    checkFile(path);
  });
});
