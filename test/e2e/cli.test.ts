import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { birds, collectionFolder } from '../../src/eval/test-support/collection-folder.js';
import { binary, type CliPlace, type CliResult, cliPlace } from '../support/cli.js';

// Every call is a process of its own, and a busy machine starts them slowly.
vi.setConfig({ testTimeout: 120_000 });

let place: CliPlace;
let db: string;
beforeEach(() => {
  place = cliPlace();
  db = join(place.cwd, '.corvid', 'corvid.db');
});

const run: CliPlace['run'] = (args, o) => place.run(args, o);

/** Runs what must succeed and returns its standard output. */
async function ok(args: readonly string[], o?: Parameters<CliPlace['run']>[1]): Promise<string> {
  const { code, stdout, stderr } = await run(args, o);
  expect(code, stderr).toBe(0);
  return stdout;
}

async function json<T = Record<string, unknown>>(
  args: readonly string[],
  o?: Parameters<CliPlace['run']>[1],
): Promise<T> {
  return JSON.parse(await ok([...args, '--json'], o)) as T;
}

/** Every file below a folder with a hash of what it holds. */
function snapshot(folder: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true }) as string[]) {
    const path = join(folder, entry);
    files[entry] = statSync(path).isDirectory()
      ? 'folder'
      : createHash('sha256').update(readFileSync(path)).digest('hex');
  }
  return files;
}

/** Runs a mistake: one line that says what is wrong, at most one below it with a remedy, and nothing changed. */
async function mistake(
  args: readonly string[],
  code: number,
  message: RegExp,
  hint?: RegExp,
  o?: Parameters<CliPlace['run']>[1],
): Promise<CliResult> {
  const before = [snapshot(place.cwd), snapshot(place.home)];
  const result = await run(args, o);
  expect(result.stderr).toMatch(/^corvid: [^\n]+\n( {2}\S[^\n]*\n)?$/);
  const [line = '', remedy = ''] = result.stderr.split('\n');
  expect(line).toMatch(message);
  if (hint) expect(remedy).toMatch(hint);
  expect(result.stdout).toBe('');
  expect(result.code).toBe(code);
  expect([snapshot(place.cwd), snapshot(place.home)]).toEqual(before);
  return result;
}

function write(name: string, text: string): string {
  const path = join(place.cwd, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

describe('the verbs', () => {
  it('carry an item from init to forget', async () => {
    expect(await ok(['init'])).toBe(`Made ${realpathSync(place.cwd)}/.corvid/corvid.db.\n`);
    expect(readFileSync(join(place.cwd, '.corvid', '.gitignore'), 'utf8')).toBe('*\n');
    const added = await run(['add', 'Oz prefers dark mode', '--tag', 'preference', '--kind', 'note']);
    expect(added).toMatchObject({ code: 0, stderr: 'added.\n' });
    const id = added.stdout.trim();
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await ok(['search', 'which mode does Oz prefer?'])).toContain(id);
    expect(await ok(['get', id])).toMatch(/Oz prefers dark mode\n$/);
    expect(await ok(['list'])).toContain('Oz prefers dark mode');
    expect(await ok(['update', id, 'Oz prefers light mode', '--title', 'Theme'])).toContain('Theme');
    expect(await json(['get', id])).toMatchObject({
      title: 'Theme',
      text: 'Oz prefers light mode',
      tags: ['preference'],
      kind: 'note',
    });
    expect(await ok(['archive', id])).toBe(`archived ${id}\n`);
    const hidden = await run(['search', 'light mode']);
    expect(hidden).toEqual({ code: 0, stdout: '', stderr: 'Nothing found.\n' });
    expect(await ok(['search', 'light mode', '--include', 'archived'])).toContain(id);
    expect(await ok(['restore', id])).toBe(`restored ${id}\n`);
    expect(await ok(['search', 'light mode'])).toContain(id);
    expect(await ok(['remove', id])).toBe(`removed ${id}\n`);
    expect(await ok(['list'])).toBe('');
    await ok(['add', 'the vault code is zanzibar', '--id', 'secret']);
    expect(await ok(['forget', 'secret'])).toBe('forgot secret\n');
    expect(readFileSync(db).includes('zanzibar')).toBe(false);
    expect(await ok(['init'])).toMatch(/is there already\.\n$/);
  });

  it('take the text of add, update and search from standard input', async () => {
    await ok(['add', '-', '--id', 'a'], { stdin: 'The kiln is hot.\nWait.\n' });
    expect(await json(['get', 'a'])).toMatchObject({ text: 'The kiln is hot.\nWait.\n' });
    expect(await ok(['search', '-'], { stdin: 'kiln' })).toContain(' · a\n');
    await ok(['update', 'a', '-'], { stdin: 'The kiln is cold.' });
    expect(await json(['get', 'a'])).toMatchObject({ text: 'The kiln is cold.' });
  });

  it('take flags of all verbs before the verb too', async () => {
    await ok(['--db', 'x.db', 'add', 'one', '--id', 'a']);
    expect(await ok(['--db', 'x.db', '--json', 'get', 'a'])).toContain('"text": "one"');
    expect(existsSync(join(place.cwd, 'x.db'))).toBe(true);
  });

  it('keep scopes apart', async () => {
    await ok(['add', 'kiln for Oz', '--id', 'mine', '--user', 'oz', '--visibility', 'personal']);
    expect(await ok(['search', 'kiln', '--user', 'oz'])).toContain('mine');
    expect(await ok(['search', 'kiln', '--user', 'ines'])).toBe('');
    expect((await run(['get', 'mine', '--user', 'ines'])).code).toBe(1);
  });

  it('make the database in the data folder when there is none to be found', async () => {
    await ok(['add', 'one']);
    expect(readdirSync(join(place.home, 'data', 'corvid'))).toEqual(['corvid.db']);
    expect(readdirSync(place.cwd)).toEqual([]);
  });
});

describe('add --jsonl', () => {
  it('stores a file and standard input', async () => {
    write('items.jsonl', '\ufeff{"id":"a","text":"one"}\n\n{"id":"b","text":"two","tags":["t"]}\r\n');
    expect(await ok(['add', '--jsonl', 'items.jsonl'])).toBe('a\tadded\nb\tadded\n');
    expect(await json(['add', '--jsonl', '-'], { stdin: '{"id":"b","text":"2"}' })).toEqual([
      { id: 'b', status: 'updated' },
    ]);
  });

  it.each([
    ['{"id":"c","text":', /line 502 is not JSON/],
    ['[1]', /line 502 is not an object/],
    ['{"id":"c","txet":"three"}', /line 502: the item has no option "txet"/],
  ])('names the bad line %s and says what was stored before it', async (bad, message) => {
    const good = Array.from({ length: 501 }, (_, i) => `{"id":"i${i}","text":"number ${i}"}\n`);
    write('items.jsonl', `${good.join('')}${bad}\n`);
    const { code, stdout, stderr } = await run(['add', '--jsonl', 'items.jsonl']);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    const [stored, error, hint] = stderr.split('\n');
    expect(stored).toBe('corvid: 500 items were stored before the error.');
    expect(error).toMatch(message);
    expect(hint).toMatch(/^ {2}\S/);
    const { items } = await json<{ items: { total: number } }>(['status']);
    expect(items.total).toBe(500);
  });

  it('makes no database for a file that is missing, a folder, or bad from the first line', async () => {
    write('bad.jsonl', 'no\n');
    await mistake(['add', '--jsonl', 'none.jsonl'], 1, /none\.jsonl does not exist/);
    await mistake(['add', '--jsonl', '.'], 1, /is a folder, not a file/);
    await mistake(['add', '--jsonl', 'bad.jsonl'], 1, /bad\.jsonl, line 1 is not JSON/);
  });
});

describe('ingest', () => {
  it('reads a folder, lists what it skips, and finds it unchanged the second time', async () => {
    write('notes/kiln.md', '# Kiln\n\nFire at cone six.\n');
    write('notes/glaze.txt', 'Mix the glaze well.');
    write('notes/picture.txt', 'a\0b\0c');
    const first = await run(['ingest', 'notes']);
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(/: 3 files: 2 added, 0 updated, 0 renamed, 0 unchanged, 0 removed/);
    expect(first.stderr).toMatch(/^skipped picture\.txt: binary/m);
    const again = await json(['ingest', 'notes']);
    expect(again).toMatchObject({ added: 0, updated: 0, unchanged: 2, removed: 0 });
    expect(again.skipped).toMatchObject([{ path: 'picture.txt', reason: 'binary' }]);
    expect(await ok(['search', 'cone six'])).toContain('Kiln');
  });

  it('gives one summary for each of several paths', async () => {
    write('a/one.md', 'one');
    write('b/two.md', 'two');
    expect(await json<unknown[]>(['ingest', 'a', 'b'])).toMatchObject([{ added: 1 }, { added: 1 }]);
  });

  it('ends with 130 when interrupted, and completes when run again', async () => {
    const files = 3000;
    for (let i = 0; i < files; i++)
      write(`notes/${i}.md`, `# Note ${i}\n\n${`Words of note ${i}. `.repeat(60)}\n`);
    await ok(['init']);
    const child = spawn(process.execPath, [binary, 'ingest', 'notes'], { cwd: place.cwd, env: place.env });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    // The first batch is in when the log has grown.
    while (child.exitCode === null && !(existsSync(`${db}-wal`) && statSync(`${db}-wal`).size > 200_000)) {
      await sleep(5);
    }
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(stderr).toBe('corvid: interrupted\n');
    const check = new Sqlite(db, { readonly: true });
    expect(check.pragma('integrity_check', { simple: true })).toBe('ok');
    check.close();
    const { items } = await json<{ items: { total: number } }>(['status']);
    expect(items.total).toBeGreaterThan(0);
    expect(items.total).toBeLessThan(files);
    const rest = await json(['ingest', 'notes']);
    expect(rest).toMatchObject({ unchanged: items.total, added: files - items.total, removed: 0 });
  });
});

describe('--json and --jsonl', () => {
  beforeEach(async () => {
    const items = ['a', 'b', 'c'].map((id) => JSON.stringify({ id, text: `the kiln of ${id}` }));
    await ok(['init']);
    await ok(['add', '--jsonl', '-'], { stdin: items.join('\n') });
  });

  it('give the shapes of the library', async () => {
    const result = await json<{ hits: Record<string, unknown>[] }>([
      'search',
      'kiln',
      '-n',
      '2',
      '--explain',
    ]);
    expect(Object.keys(result)).toEqual(['hits', 'linked', 'degraded', 'timings']);
    expect(result.hits).toHaveLength(2);
    expect(result.hits[0]).toHaveProperty('explanation.streams.lexical.rank', 1);
    const status = await json(['status']);
    expect(status).toMatchObject({
      path: realpathSync(db),
      items: { total: 3, active: 3 },
      embedder: 'none',
    });
    const { items, cursor } = await json<{ items: { id: string }[]; cursor: string }>(['list', '-n', '2']);
    expect(items.map(({ id }) => id)).toEqual(['c', 'b']);
    const next = await json<{ items: { id: string }[] }>(['list', '-n', '2', '--cursor', cursor]);
    expect(next).toMatchObject({ items: [{ id: 'a' }], cursor: null });
    const { settings } = await json<{ settings: unknown[] }>(['config']);
    expect(settings).toContainEqual({ name: 'limit', value: 10, origin: 'default' });
    expect(settings).toContainEqual({ name: 'db', value: realpathSync(db), origin: 'found' });
    expect(await json(['get', 'a', 'b'])).toMatchObject([{ id: 'a' }, { id: 'b' }]);
    expect(await json(['remove', 'a'])).toEqual({ id: 'a', removed: true });
  });

  it('give one value a line with --jsonl', async () => {
    for (const args of [['search', 'kiln'], ['list'], ['get', 'a', 'b', 'c']]) {
      const lines = (await ok([...args, '--jsonl'])).trimEnd().split('\n');
      expect(lines.map((line) => (JSON.parse(line) as { id: string }).id).sort()).toEqual(['a', 'b', 'c']);
    }
  });

  it('end quietly when the reader of a pipe has seen enough', async () => {
    const many = Array.from({ length: 900 }, (_, i) => JSON.stringify({ text: `note ${i} `.repeat(100) }));
    await ok(['add', '--jsonl', '-', '-q'], { stdin: many.join('\n') });
    const { stdout, stderr } = await place.shell(
      '{ corvid list -n 1000 --jsonl; echo "code $?" >&2; } | head -n 1',
    );
    expect(stdout.split('\n')).toHaveLength(2);
    expect(stderr).toBe('code 0\n');
  });

  it('leave no room for notes on standard output', async () => {
    const { stdout, stderr } = await run(['list', '-n', '1', '--json']);
    expect(() => JSON.parse(stdout)).not.toThrow();
    expect(stderr).toBe('');
    expect((await run(['list', '-n', '1'])).stderr).toMatch(/^More: --cursor \S+\n$/);
    expect((await run(['list', '-n', '1', '-q'])).stderr).toBe('');
  });
});

describe('text that would repaint the screen', () => {
  it('is shown with visible signs everywhere', async () => {
    const evil = '\u001b]0;owned\u0007kiln \u009b31m red \u202e turned\r over';
    const item = {
      id: 'a\u001b[2J',
      title: evil,
      text: evil,
      tags: [evil],
      meta: { [evil]: evil },
      uri: evil,
    };
    const outputs = [
      await run(['add', '--jsonl', '-'], { stdin: JSON.stringify(item) }),
      await run(['search', 'kiln', '--explain']),
      await run(['search', 'kiln', '--json']),
      await run(['search', 'kiln', '--jsonl']),
      await run(['list']),
      await run(['list', '--json']),
      await run(['get', 'a\u001b[2J']),
      await run(['get', 'a\u001b[2J', '--json']),
      await run(['get', 'none\u001b[2J\u009b']),
      await run(['update', 'none\u001b[2J\u009b', 'text']),
      await run(['archive', 'none\u001b[2J\u009b', 'a\u001b[2J']),
    ];
    for (const { stdout, stderr } of outputs) {
      expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    }
    expect(JSON.parse(outputs[7]?.stdout ?? '')).toMatchObject({ text: evil, meta: { [evil]: evil } });
    expect(outputs[6]?.stdout).toContain('\\u001b]0;owned');
  });
});

describe('an interrupt', () => {
  it.each([
    ['add', '-'],
    ['search', '-'],
    ['add', '--jsonl', '-'],
  ])('ends %s %s while it waits for input, with code 130', async (...args) => {
    await ok(['init']);
    const child = spawn(process.execPath, [binary, ...args], { cwd: place.cwd, env: place.env });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    child.stdin.on('error', () => {});
    // More than a pipe holds: once it is taken, the command is reading.
    await new Promise((resolve) => child.stdin.write(' '.repeat(1 << 20), resolve));
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(stderr).toBe('corvid: interrupted\n');
    expect(await ok(['list'])).toBe('');
  });
});

describe('settings', () => {
  it('are shown with where each comes from', async () => {
    const projectFile = write('corvid.config.json', '{"project":"garden","limit":7,"db":"data/notes.db"}');
    const userFile = join(place.home, 'config', 'corvid', 'config.json');
    mkdirSync(join(userFile, '..'), { recursive: true });
    writeFileSync(userFile, '{"project":"other","rooms":["shed","bench"]}');
    const sub = join(place.cwd, 'sub');
    mkdirSync(sub);
    const args = ['config', '--workspace', 'work'];
    const o = { cwd: sub, env: { CORVID_USER: 'oz', CORVID_LIMIT: '5' } };
    const real = realpathSync(projectFile);
    const { settings } = await json(args, o);
    expect(settings).toEqual([
      { name: 'db', value: join(real, '..', 'data', 'notes.db'), origin: `file ${real}` },
      { name: 'workspace', value: 'work', origin: 'flag' },
      { name: 'project', value: 'garden', origin: `file ${real}` },
      { name: 'user', value: 'oz', origin: 'env CORVID_USER' },
      { name: 'rooms', value: ['shed', 'bench'], origin: `file ${userFile}` },
      { name: 'limit', value: 5, origin: 'env CORVID_LIMIT' },
      { name: 'touch', value: true, origin: 'default' },
      { name: 'embedder', value: 'none', origin: 'default' },
      { name: 'formerEmbedder', value: 'none', origin: 'default' },
    ]);
    expect(await ok(args, o)).toMatch(/^user +oz {2}\(env CORVID_USER\)$/m);
  });

  it('reach the search', async () => {
    write('corvid.config.json', '{"db":"notes.db","limit":1}');
    await ok(['add', '--jsonl', '-'], { stdin: '{"text":"kiln one"}\n{"text":"kiln two"}' });
    expect(existsSync(join(place.cwd, 'notes.db'))).toBe(true);
    expect((await ok(['search', 'kiln', '--jsonl'])).trimEnd().split('\n')).toHaveLength(1);
    expect((await ok(['search', 'kiln', '--jsonl', '-n', '2'])).trimEnd().split('\n')).toHaveLength(2);
  });

  it('of a project may not point the database outside of it', async () => {
    symlinkSync(place.home, join(place.cwd, 'link'));
    for (const path of ['../elsewhere.db', join(place.home, 'x.db'), 'link/x.db']) {
      write('corvid.config.json', JSON.stringify({ db: path }));
      const { code, stdout, stderr } = await run(['config', '--json']);
      expect(code).toBe(0);
      expect(stderr).toMatch(
        /^corvid: .*corvid\.config\.json: "db" names a path outside the project and is ignored\.\n$/,
      );
      expect(JSON.parse(stdout).settings[0].origin).toBe('found');
    }
  });

  it.each([
    ['{"projekt":"garden"}', /corvid\.config\.json has no setting "projekt"/],
    ['{"limit":"many"}', /limit in .*corvid\.config\.json must be a whole number/],
    ['{"project":', /corvid\.config\.json cannot be read/],
    ['[]', /corvid\.config\.json does not hold a JSON object/],
  ])('in a file that holds %s are refused', async (text, message) => {
    write('corvid.config.json', text);
    await mistake(['status'], 2, message, /./);
  });

  it('in the environment are checked', async () => {
    await mistake(['status'], 2, /CORVID_LIMIT must be a whole number/, /./, {
      env: { CORVID_LIMIT: 'many' },
    });
  });

  it('that hide a new database are told by init', async () => {
    const { code, stderr } = await run(['init'], { env: { CORVID_DB: 'other.db' } });
    expect(code).toBe(0);
    expect(stderr).toBe('corvid: other commands here use other.db (env CORVID_DB).\n');
  });
});

describe('eval', () => {
  let dir: string;
  beforeEach(() => {
    dir = join(place.cwd, 'birds');
    mkdirSync(dir);
    collectionFolder(birds, dir);
  });

  it('prints a table, or one object with --json', async () => {
    expect(await ok(['eval', 'birds'])).toMatch(/^birds +3 +1\.0000/m);
    const report = await json<{ sets: unknown[] }>(['eval', 'birds', '--streams', 'lexical']);
    expect(report.sets).toMatchObject([{ name: 'birds', queries: 3 }]);
    expect(readdirSync(place.cwd)).toEqual(['birds']);
    expect(readdirSync(place.home)).toEqual([]);
  });

  it('refuses a stream that is not there, a missing folder and --db', async () => {
    await mistake(['eval', 'birds', '--streams', 'vector'], 2, /vector/);
    await mistake(['eval', 'fish'], 1, /There is no folder "fish"/, /corpus\.jsonl/);
    await mistake(['eval', 'birds', '--db', 'x.db'], 2, /eval takes no --db/);
  });
});

describe('exit codes', () => {
  it('are 0 without hits, and 3 for a degraded search with --strict', async () => {
    await ok(['init']);
    expect(await run(['search', 'kiln', '--strict'])).toMatchObject({ code: 0, stdout: '' });
    const blank = await run(['search', '  ']);
    expect(blank).toMatchObject({ code: 0, stdout: '' });
    expect(blank.stderr).toMatch(/^degraded: lexical: /);
    expect((await run(['search', '  ', '--strict'])).code).toBe(3);
  });
});

describe('help', () => {
  it('is what no arguments give, on standard output with code 0', async () => {
    const { code, stdout, stderr } = await run([]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: corvid/);
    expect(await ok(['--help'])).toBe(stdout);
    expect(await ok(['search', '--help'])).toContain('Examples:\n  corvid search');
  });

  it('and the version load neither SQLite nor the schemas', async () => {
    for (const flag of ['--help', '--version']) {
      const { code, stderr } = await run([flag], { env: { NODE_DEBUG: 'esm,module' } });
      expect(code).toBe(0);
      expect(stderr).toContain('node_modules/commander');
      expect(stderr).not.toMatch(/node_modules\/(better-sqlite3|zod)|dist\/index\.js/);
    }
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await ok(['--version'])).toBe(`${version}\n`);
  });
});

describe("a newcomer's mistake", () => {
  it.each([['search', 'x'], ['get', 'x'], ['list'], ['status'], ['archive', 'x'], ['update', 'x', 'y']])(
    'of calling %s without a database is told how to make one',
    async (...args) => {
      await mistake(args, 1, /There is no database at .*corvid\.db\.$/, /corvid init/);
    },
  );

  it.each<[string, string[], number, RegExp, RegExp]>([
    ['a missing folder', ['ingest', 'nowhere'], 1, /no folder or file .*nowhere/, /path/],
    ['a folder as --db', ['list', '--db', '.'], 1, /is a folder, not a database file/, /corvid\.db/],
    [
      'a folder as --db of add',
      ['add', 'x', '--db', '.'],
      1,
      /is a folder, not a database file/,
      /corvid\.db/,
    ],
    [
      'a limit in letters',
      ['search', 'x', '--limit', 'abc'],
      2,
      /--limit.*'abc'.*1 to 1000/,
      /corvid search --help/,
    ],
    ['a limit of 0', ['list', '--limit', '0'], 2, /--limit.*'0'.*1 to 1000/, /corvid list --help/],
    ['a misspelt verb', ['serch', 'x'], 2, /unknown command 'serch'/, /Did you mean search\?/],
    [
      'a misspelt flag',
      ['search', 'x', '--limt', '3'],
      2,
      /unknown option '--limt'/,
      /Did you mean --limit\?/,
    ],
    ['an unknown kind', ['list', '--kind', 'thing'], 2, /'thing'.*memory, document/, /--help/],
    ['broken JSON', ['add', 'x', '--meta', '{bad'], 2, /'\{bad'.*JSON object/, /--help/],
    ['a date in words', ['add', 'x', '--occurred-at', 'tomorrow'], 2, /tomorrow/, /./],
    ['nobody whose it is', ['add', 'x', '--visibility', 'personal'], 2, /user/, /./],
    ['no text to add', ['add'], 2, /nothing to add/, /standard input/],
    ['an empty text to add', ['add', ' '], 2, /text to add is empty/, /--title/],
    ['an empty standard input', ['add', '-'], 2, /text to add is empty/, /--title/],
    ['no id', ['get'], 2, /missing required argument 'id'/, /corvid get --help/],
    ['nothing to search', ['search'], 2, /missing required argument 'text'/, /corvid search --help/],
    ['too many arguments', ['status', 'x'], 2, /too many arguments/, /corvid status --help/],
    ['a text beside --jsonl', ['add', 'x', '--jsonl', 'y'], 2, /--jsonl and a text/, /./],
  ])('of %s gives one clear line and changes nothing', async (_, args, code, message, hint) => {
    await mistake(args, code, message, hint);
  });

  it('of naming a text file or a database of another program leaves it as it is', async () => {
    write('notes.txt', 'just words '.repeat(50));
    const other = new Sqlite(join(place.cwd, 'other.db'));
    other.exec('create table things (name text)');
    other.close();
    for (const verb of [['list'], ['add', 'x'], ['init'], ['search', 'x']]) {
      await mistake(
        [...verb, '--db', 'notes.txt'],
        1,
        /notes\.txt is not an SQLite database/,
        /left as it is/,
      );
      await mistake([...verb, '--db', 'other.db'], 1, /other\.db/, /./);
    }
  });

  it('of opening a newer store leaves it as it is', async () => {
    await ok(['init']);
    const newer = new Sqlite(db);
    newer.pragma('user_version = 999');
    newer.close();
    await mistake(['list'], 1, /999/, /./);
    await mistake(['add', 'x'], 1, /999/, /./);
  });

  it('of naming ids that do not exist does not keep the others from being done', async () => {
    await ok(['init']);
    await ok(['add', 'one', '--id', 'a']);
    for (const [verb, done] of [
      ['get', /one/],
      ['archive', /^archived a/],
      ['restore', /^restored a/],
      ['remove', /^removed a/],
    ] as const) {
      const { code, stdout, stderr } = await run([verb, 'nope', 'a']);
      expect(code).toBe(1);
      expect(stderr).toBe('corvid: There is no item "nope".\n');
      expect(stdout).toMatch(done);
    }
    await mistake(['update', 'nope', 'x'], 1, /There is no item "nope"/);
    await mistake(['update', 'nope'], 2, /nothing to change/, /--title/);
  });

  it('of using a damaged file is told as such', async () => {
    await ok(['init']);
    const many = Array.from({ length: 300 }, (_, i) => JSON.stringify({ text: `kiln ${i} `.repeat(40) }));
    await ok(['add', '--jsonl', '-', '-q'], { stdin: many.join('\n') });
    const file = openSync(db, 'r+');
    const { size } = statSync(db);
    writeSync(file, Buffer.alloc(size - 8192, 0x55), 0, size - 8192, 8192);
    closeSync(file);
    await mistake(['search', 'kiln'], 1, /corvid\.db is damaged/, /backup/);
    await mistake(['list'], 1, /corvid\.db is damaged/, /backup/);
  });

  it.skipIf(process.getuid?.() === 0)(
    'of a folder that may not be written is told by its name (SKIPPED as root, who may write everywhere)',
    async () => {
      chmodSync(place.cwd, 0o555);
      try {
        await mistake(['init'], 1, /\.corvid cannot be made \(EACCES\)/, /--db/);
        await mistake(['add', 'x', '--db', 'x.db'], 1, /x\.db/, /./);
      } finally {
        chmodSync(place.cwd, 0o755);
      }
    },
  );
});
