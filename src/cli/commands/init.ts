import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Verb } from '../command.js';

export const init: Verb = {
  name: 'init',
  summary: 'make a database for this folder: .corvid/corvid.db',
  examples: ['corvid init', 'corvid init --db notes.db'],
  async run({ terminal, flags, out }) {
    const folder = join(terminal.cwd, '.corvid');
    const path = flags.db === undefined ? join(folder, 'corvid.db') : resolve(terminal.cwd, flags.db);
    const existed = existsSync(path);
    if (flags.db === undefined) {
      mkdirSync(folder, { recursive: true });
      const ignore = join(folder, '.gitignore');
      // The store is private to this machine: version control passes over the whole folder.
      if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
    }
    const { open } = await import('../../index.js');
    const memory = await open(path);
    await memory.close();
    if (flags.json) out.json({ path, created: !existed });
    else out.line(existed ? `${path} is there already.` : `Made ${path}.`);
  },
};
