import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { root } from './doc-files.js';

const TIMEOUT_MS = 60_000;

/** Puts the built command in reach of a shell: a folder with `corvid` in it. */
export function makeBin(folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const main = join(root, 'dist/cli/main.js');
  writeFileSync(join(bin, 'corvid'), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`, {
    mode: 0o755,
  });
  return bin;
}

/**
 * Runs one command line in a shell, with nothing of this process's environment but the system's programs. Output is
 * what a person would see: stdout and stderr in one.
 */
export function runCommandLine(
  command: string,
  o: { cwd: string; bin: string; home: string },
): Promise<{ code: number; lines: string[] }> {
  const path = [o.bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
  const env = { PATH: path, HOME: o.home, LANG: 'C.UTF-8', TZ: 'UTC' };
  return new Promise((resolve) => {
    // Errors of the command come with the output, in their order, as on a terminal.
    const script = `{\n${command}\n} 2>&1`;
    execFile('/bin/sh', ['-c', script], { cwd: o.cwd, env, timeout: TIMEOUT_MS }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ code, lines: splitLines(`${stdout}${stderr}`) });
    });
  });
}

export function splitLines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
