import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliError } from './cli-error.js';
import { resolveSettings, type Settings } from './settings.js';

let root: string;
let cwd: string;
let projectFile: string;
let userFile: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'corvid-test-')));
  cwd = join(root, 'project', 'deep', 'inside');
  mkdirSync(cwd, { recursive: true });
  projectFile = join(root, 'project', 'corvid.config.json');
  userFile = join(root, 'config', 'corvid', 'config.json');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
}

const resolved = (flags: Partial<Settings> = {}, env: NodeJS.ProcessEnv = {}) =>
  resolveSettings(flags, { cwd, env: { XDG_CONFIG_HOME: join(root, 'config'), ...env } });
const origin = (settings: ReturnType<typeof resolved>, name: keyof Settings) =>
  settings.list.find((setting) => setting.name === name)?.origin;

describe('settings', () => {
  it('come from the flag, the environment, the project, the user, the default, in this order', () => {
    const layers: [string, () => void][] = [
      ['default', () => {}],
      [`file ${userFile}`, () => write(userFile, { project: 'user' })],
      [`file ${projectFile}`, () => write(projectFile, { project: 'project' })],
    ];
    for (const [expected, add] of layers) {
      add();
      expect(origin(resolved(), 'project')).toBe(expected);
    }
    const env = { CORVID_PROJECT: 'environment' };
    expect(origin(resolved({}, env), 'project')).toBe('env CORVID_PROJECT');
    const all = resolved({ project: 'flag' }, env);
    expect(origin(all, 'project')).toBe('flag');
    expect(all.values.project).toBe('flag');
    expect(all.warnings).toEqual([]);
  });

  it('of a nearer project file are taken whole, without those further up', () => {
    write(projectFile, { project: 'outer', limit: 3 });
    write(join(cwd, 'corvid.config.json'), { project: 'inner' });
    expect(resolved().values).toMatchObject({ project: 'inner', limit: 10 });
  });

  it('without any source are the defaults', () => {
    const { values } = resolved();
    expect(values).toEqual({
      workspace: 'default',
      project: 'default',
      rooms: [],
      limit: 10,
      touch: true,
      embedder: 'none',
      formerEmbedder: 'none',
    });
  });

  it('are read from text in the environment', () => {
    const env = { CORVID_ROOMS: ' shed, bench ,', CORVID_LIMIT: '20', CORVID_TOUCH: '0', CORVID_USER: '' };
    const { values } = resolved({}, env);
    expect(values).toMatchObject({ rooms: ['shed', 'bench'], limit: 20, touch: false });
    expect(values.user).toBeUndefined();
  });

  it.each([
    ['CORVID_LIMIT', '0'],
    ['CORVID_LIMIT', '1.5'],
    ['CORVID_LIMIT', 'many'],
    ['CORVID_TOUCH', 'perhaps'],
  ])('refuse %s=%s and name it', (name, value) => {
    const call = () => resolved({}, { [name]: value });
    expect(call).toThrow(CliError);
    expect(call).toThrow(new RegExp(`^${name} must be .*"${value}"`));
  });

  it.each<[unknown, RegExp]>([
    [{ colour: 'red' }, /has no setting "colour"/],
    [{ db: '' }, /^db in .* must be a path/],
    [{ rooms: 'shed' }, /^rooms in .* must be a list of texts, not "shed"/],
    [{ limit: 1001 }, /^limit in .* must be a whole number/],
    [{ touch: 'yes' }, /^touch in .* must be true or false/],
    ['{', /cannot be read/],
    ['null', /does not hold a JSON object/],
  ])('refuse a file that holds %j', (content, message) => {
    for (const file of [projectFile, userFile]) {
      write(file, content);
      expect(() => resolved()).toThrow(message);
      expect(() => resolved()).toThrow(file);
      rmSync(file);
    }
  });

  it('accept a byte order mark in a file', () => {
    write(projectFile, '\ufeff{"user":"oz"}');
    expect(resolved().values.user).toBe('oz');
  });

  it('name a database relative to their file', () => {
    write(userFile, { db: '../all.db' });
    expect(resolved().values.db).toBe(join(root, 'config', 'all.db'));
    write(projectFile, { db: '..data/notes.db' });
    expect(resolved().values.db).toBe(join(root, 'project', '..data', 'notes.db'));
  });

  it.each([
    '..',
    '.',
    '../notes.db',
    'deep/../../notes.db',
    '/elsewhere/notes.db',
    'link/notes.db',
    'link.db',
  ])('of a project pass over the database %s, say so, and keep the rest', (db) => {
    symlinkSync(tmpdir(), join(root, 'project', 'link'));
    writeFileSync(join(root, 'outside.db'), '');
    symlinkSync(join(root, 'outside.db'), join(root, 'project', 'link.db'));
    write(projectFile, { db, user: 'oz' });
    const { values, warnings } = resolved();
    expect(values.db).toBeUndefined();
    expect(values.user).toBe('oz');
    expect(warnings).toEqual([`${projectFile}: "db" names a path outside the project and is ignored.`]);
  });
});
