import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CliError } from '../cli-error.js';
import type { Verb } from '../command.js';
import { printableLine } from '../terminal.js';

export const init: Verb = {
  name: 'init',
  summary: 'make a database for this folder: .corvid/corvid.db',
  examples: ['corvid init', 'corvid init --db notes.db'],
  async run({ terminal, flags, settings, out }) {
    const folder = join(terminal.cwd, '.corvid');
    const path = flags.db === undefined ? join(folder, 'corvid.db') : resolve(terminal.cwd, flags.db);
    const existed = existsSync(path);
    if (flags.db === undefined) makeFolder(folder);
    const { open } = await import('../../index.js');
    const memory = await open(path);
    await memory.close();
    if (flags.json) out.json({ path, created: !existed });
    else out.line(existed ? `${printableLine(path)} is there already.` : `Made ${printableLine(path)}.`);
    const { db } = settings.values;
    if (db !== undefined && resolve(terminal.cwd, db) !== path) {
      const origin = settings.list.find(({ name }) => name === 'db')?.origin ?? '';
      out.warn(`corvid: other commands here use ${printableLine(db)} (${printableLine(origin)}).`);
    }
  },
};

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    const ignore = join(folder, '.gitignore');
    // The store is private to this machine: version control passes over the whole folder.
    if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
  } catch (error) {
    throw new CliError(
      `The folder ${folder} cannot be made (${(error as NodeJS.ErrnoException).code}).`,
      'Check that this folder may be written, or name a file elsewhere with --db.',
      1,
    );
  }
}
