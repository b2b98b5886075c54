/**
 * Makes the fixture of the present schema: `node scripts/make-fixture.mjs` after a build. A fixture is made once,
 * when its schema is released, and never again: tests open every one of them for ever.
 */
import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { open } from '../dist/index.js';

const time = Date.UTC(2026, 11, 1);
const temporary = fileURLToPath(new URL('../test/formats/making.db', import.meta.url));
rmSync(temporary, { force: true });
const memory = await open({ path: temporary, clock: { now: () => time } });
const { schemaVersion } = await memory.status();
await memory.addMany([
  { id: 'plain', text: 'Oz prefers dark mode', tags: ['preference'] },
  { id: 'personal', text: 'ann takes the 7:10 ferry', scope: { user: 'ann' }, importance: 0.9 },
  {
    id: 'room',
    kind: 'message',
    text: 'the ferry of room one',
    speaker: 'Bo',
    occurredAt: time,
    scope: { room: 'r1' },
  },
  {
    id: 'document',
    kind: 'document',
    title: 'Kiln book',
    uri: 'kiln.md',
    source: 'books',
    text: `# Kiln book\r\n\r\n${'The kiln is fired slowly. '.repeat(60)}\r\n\r\n## Glaze\r\n\r\n温度を測った。 flush_tile_cache() v1.2.3\r\n`,
    meta: { pages: 12 },
  },
  { id: 'archived', kind: 'note', title: 'Old boiler', text: 'copper boiler', pinned: true },
  { id: 'expired', text: 'parking permit', expiresAt: time - 1 },
]);
await memory.archive('archived');
await memory.close();
const target = fileURLToPath(new URL(`../test/formats/schema-${schemaVersion}.db`, import.meta.url));
if (existsSync(target)) {
  console.log(`${target} exists and stays as it is.`);
} else {
  const db = new Sqlite(temporary);
  db.pragma('journal_mode = DELETE');
  db.prepare('VACUUM INTO ?').run(target);
  db.close();
  console.log(`Made ${target}.`);
}
rmSync(temporary, { force: true });
