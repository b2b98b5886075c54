import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** Name of a project's folder and the database in it. */
export const PROJECT_FOLDER = '.corvid';
export const DATABASE_NAME = 'corvid.db';

/**
 * Where the database is when nobody says: `CORVID_DB`, else the nearest `.corvid/corvid.db` from the
 * current folder upwards, else `corvid/corvid.db` in the user's data folder (`XDG_DATA_HOME`, default
 * `~/.local/share`).
 */
export function defaultDatabasePath(o: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): string {
  const env = o.env ?? process.env;
  const cwd = o.cwd ?? process.cwd();
  if (env.CORVID_DB) return resolve(cwd, env.CORVID_DB);
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const candidate = join(folder, PROJECT_FOLDER, DATABASE_NAME);
    if (existsSync(candidate)) return candidate;
    if (dirname(folder) === folder) break;
  }
  const data = env.XDG_DATA_HOME || join(env.HOME || homedir(), '.local', 'share');
  return join(data, 'corvid', DATABASE_NAME);
}
