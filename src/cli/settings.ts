import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CliError } from './cli-error.js';

/** Everything that can be set outside a command's own flags. */
export interface Settings {
  db: string;
  workspace: string;
  project: string;
  user: string;
  rooms: string[];
  limit: number;
  touch: boolean;
  embedder: string;
  formerEmbedder: string;
}

export type SettingName = keyof Settings;

/** Where a value came from: `flag`, `env NAME`, `file PATH`, `default`, or `found` for a database found by looking. */
export interface Setting {
  name: SettingName;
  value: Settings[SettingName] | null;
  origin: string;
}

export interface ResolvedSettings {
  values: Partial<Settings>;
  list: Setting[];
  /** Values that were passed over, and why. */
  warnings: string[];
}

type Values = Partial<Settings>;

const NAMES: readonly SettingName[] = [
  'db',
  'workspace',
  'project',
  'user',
  'rooms',
  'limit',
  'touch',
  'embedder',
  'formerEmbedder',
];
const ENVIRONMENT: Readonly<Record<SettingName, string>> = {
  db: 'CORVID_DB',
  workspace: 'CORVID_WORKSPACE',
  project: 'CORVID_PROJECT',
  user: 'CORVID_USER',
  rooms: 'CORVID_ROOMS',
  limit: 'CORVID_LIMIT',
  touch: 'CORVID_TOUCH',
  embedder: 'CORVID_EMBEDDER',
  formerEmbedder: 'CORVID_FORMER_EMBEDDER',
};
const DEFAULTS: Values = {
  workspace: 'default',
  project: 'default',
  rooms: [],
  limit: 10,
  touch: true,
  embedder: 'none',
  formerEmbedder: 'none',
};
export const CONFIG_NAME = 'corvid.config.json';

/** Flag, then environment, then the project's file, then the user's file, then the default. */
export function resolveSettings(
  flags: Values,
  context: { env: NodeJS.ProcessEnv; cwd: string },
): ResolvedSettings {
  const warnings: string[] = [];
  const layers: { origin: (name: SettingName) => string; values: Values }[] = [
    { origin: () => 'flag', values: flags },
    { origin: (name) => `env ${ENVIRONMENT[name]}`, values: fromEnvironment(context.env) },
  ];
  const projectFile = findUpwards(context.cwd);
  if (projectFile) {
    const values = readConfig(projectFile);
    layers.push({
      origin: () => `file ${projectFile}`,
      values: withinProject(values, projectFile, warnings),
    });
  }
  const userFile = join(
    context.env.XDG_CONFIG_HOME || join(context.env.HOME || homedir(), '.config'),
    'corvid',
    'config.json',
  );
  if (existsSync(userFile)) {
    const values = readConfig(userFile);
    if (values.db !== undefined) values.db = resolve(dirname(userFile), values.db);
    layers.push({ origin: () => `file ${userFile}`, values });
  }
  layers.push({ origin: () => 'default', values: DEFAULTS });

  const values: Values = {};
  const list = NAMES.map((name): Setting => {
    const layer = layers.find((candidate) => candidate.values[name] !== undefined);
    if (!layer) return { name, value: null, origin: 'default' };
    const value = layer.values[name]!;
    Object.assign(values, { [name]: value });
    return { name, value, origin: layer.origin(name) };
  });
  return { values, list, warnings };
}

function fromEnvironment(env: NodeJS.ProcessEnv): Values {
  const values: Values = {};
  for (const name of NAMES) {
    const text = env[ENVIRONMENT[name]];
    if (text === undefined || text === '') continue;
    Object.assign(values, { [name]: parseText(name, text, ENVIRONMENT[name]) });
  }
  return values;
}

function parseText(name: SettingName, text: string, from: string): Settings[SettingName] {
  switch (name) {
    case 'rooms':
      return text
        .split(',')
        .map((room) => room.trim())
        .filter((room) => room !== '');
    case 'limit': {
      const limit = Number(text);
      if (!Number.isInteger(limit) || limit < 1 || limit > 1000) {
        throw new CliError(
          `${from} must be a whole number from 1 to 1000, not "${text}".`,
          `Set ${from} to such a number, or unset it.`,
        );
      }
      return limit;
    }
    case 'touch':
      if (!/^(true|false|1|0)$/.test(text)) {
        throw new CliError(
          `${from} must be true or false, not "${text}".`,
          `Set ${from} to true or false, or unset it.`,
        );
      }
      return text === 'true' || text === '1';
    default:
      return text;
  }
}

/** The nearest configuration of a project, from a folder upwards. */
function findUpwards(from: string): string | null {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const file = join(folder, CONFIG_NAME);
    if (existsSync(file)) return file;
    if (dirname(folder) === folder) return null;
  }
}

function readConfig(file: string): Values {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    throw new CliError(
      `${file} cannot be read: ${(error as Error).message}.`,
      'Mend the file: it must be one JSON object.',
    );
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new CliError(
      `${file} does not hold a JSON object.`,
      'Write an object such as { "project": "garden" }.',
    );
  }
  for (const [name, value] of Object.entries(parsed)) {
    if (!NAMES.includes(name as SettingName)) {
      throw new CliError(`${file} has no setting "${name}".`, `It knows: ${NAMES.join(', ')}.`);
    }
    if (!isRight(name as SettingName, value)) {
      throw new CliError(
        `${name} in ${file} must be ${WANTED[name as SettingName]}, not ${JSON.stringify(value)}.`,
        'Mend the value.',
      );
    }
  }
  return parsed as Values;
}

const WANTED: Readonly<Record<SettingName, string>> = {
  db: 'a path',
  workspace: 'a text',
  project: 'a text',
  user: 'a text',
  rooms: 'a list of texts',
  limit: 'a whole number from 1 to 1000',
  touch: 'true or false',
  embedder: 'a text',
  formerEmbedder: 'a text',
};

function isRight(name: SettingName, value: unknown): boolean {
  switch (name) {
    case 'rooms':
      return Array.isArray(value) && value.every((room) => typeof room === 'string');
    case 'limit':
      return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 1000;
    case 'touch':
      return typeof value === 'boolean';
    default:
      return typeof value === 'string' && value !== '';
  }
}

/**
 * A project's file comes with the project, from whoever made it: it may not point the database elsewhere, nor name an
 * embedder, to which every text would be sent.
 */
function withinProject(values: Values, file: string, warnings: string[]): Values {
  const { db, embedder, formerEmbedder, ...safe } = values;
  const kept: Values = safe;
  for (const [name, value] of Object.entries({ embedder, formerEmbedder })) {
    if (value === undefined) continue;
    warnings.push(
      `${file}: "${name}" is ignored in a project's file; set ${ENVIRONMENT[name as SettingName]} or the user's file.`,
    );
  }
  if (db === undefined) return kept;
  const folder = dirname(file);
  const path = resolve(folder, db);
  if (isInside(folder, path) && isInside(realpathSync(folder), realPath(path))) return { ...kept, db: path };
  warnings.push(`${file}: "db" names a path outside the project and is ignored.`);
  return kept;
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Where a path leads once links are followed; the part of it that does not exist yet stays as it is. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path));
  }
}
