import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tempFolder } from './temp.js';

/** The built command; `npm test` builds it before the tests. */
export const binary = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  stdin?: string;
  cwd?: string;
}

/** A home and a working folder of their own, and the command run in them. */
export interface CliPlace {
  home: string;
  cwd: string;
  env: Record<string, string>;
  run(args: readonly string[], o?: RunOptions): Promise<CliResult>;
  /** Runs a line of shell in which `corvid` is the command. */
  shell(line: string): Promise<CliResult>;
}

export function cliPlace(): CliPlace {
  if (!existsSync(binary)) throw new Error(`${binary} is missing: run npm run build first.`);
  const root = tempFolder();
  const home = join(root, 'home');
  const cwd = join(root, 'work');
  mkdirSync(home);
  mkdirSync(cwd);
  // Nothing of the caller's environment but what starts a process: no CORVID_* variable, no colours.
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CONFIG_HOME: join(home, 'config'),
  };
  return {
    home,
    cwd,
    env,
    run: (args, o = {}) =>
      runProcess(process.execPath, [binary, ...args], { cwd, ...o, env: { ...env, ...o.env } }),
    shell: (line) =>
      runProcess('sh', ['-c', `corvid() { "${process.execPath}" "${binary}" "$@"; }\n${line}`], { cwd, env }),
  };
}

function runProcess(
  command: string,
  args: readonly string[],
  { cwd, env, stdin = '' }: { cwd: string; env: Record<string, string>; stdin?: string },
): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    // A command that does not read its input may end before all of it is written.
    child.stdin.on('error', () => {});
    child.stdin.end(stdin);
  });
}
