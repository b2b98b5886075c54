import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { tempFolder } from '../support/temp.js';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

it('corvid watch ingests what is there, then what is written, and Ctrl-C ends it', async () => {
  const folder = tempFolder();
  const notes = join(folder, 'notes');
  mkdirSync(notes);
  writeFileSync(join(notes, 'a.md'), '# Kiln\n\nfirst\n');
  const child = spawn(process.execPath, [main, 'watch', notes, '--db', join(folder, 'w.db')], {
    env: { PATH: process.env['PATH'], HOME: folder },
  });
  let out = '';
  child.stdout.on('data', (data) => {
    out += String(data);
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const until = async (text: string) => {
    for (let i = 0; i < 300 && !out.includes(text); i++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(out).toContain(text);
  };
  try {
    await until('1 added');
    writeFileSync(join(notes, 'a.md'), '# Kiln\n\nsecond\n');
    await until('1 updated');
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  } finally {
    child.kill('SIGKILL');
  }
}, 60_000);
