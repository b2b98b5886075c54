import { spawn } from 'node:child_process';
import { root } from './paths.mjs';

const MINUTE_MS = 60_000;

/**
 * Runs a program in the repository's root and waits for it.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ show?: boolean, env?: NodeJS.ProcessEnv, cwd?: string, timeoutMs?: number }} [o] `show` lets the
 *   output through to the terminal; without it the output is kept and returned.
 * @returns {Promise<{ code: number, stdout: string, stderr: string, output: string }>} `code` is 127 when the
 *   program is not there, 124 when it took longer than `timeoutMs` (default 15 minutes), 128 when a signal
 *   ended it. `output` is both streams in the order of arrival.
 */
export function run(command, args, o = {}) {
  return new Promise((resolve) => {
    const timeoutMs = o.timeoutMs ?? 15 * MINUTE_MS;
    const child = spawn(command, args, {
      cwd: o.cwd ?? root,
      env: o.env ?? process.env,
      stdio: ['ignore', o.show ? 'inherit' : 'pipe', o.show ? 'inherit' : 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    let output = '';
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      stdout += text;
      output += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      stderr += text;
      output += text;
    });
    const finish = (code, note) => {
      clearTimeout(timer);
      resolve({ code, stdout, stderr, output: note ? `${output}${note}\n` : output });
    };
    child.on('error', (error) => finish(127, `${command}: ${error.message}`));
    child.on('close', (code, signal) => {
      if (late) finish(124, `${command} was ended: it ran longer than ${Math.round(timeoutMs / 1000)} s`);
      else if (code === null) finish(128, `${command} was ended by ${signal}`);
      else finish(code, '');
    });
  });
}

/** Runs a Node.js script with the running Node.js. */
export function runNode(args, o = {}) {
  return run(process.execPath, args, o);
}

/** Runs npm; also where npm was started with `--silent`, its errors are kept. */
export function runNpm(args, o = {}) {
  const shell = process.platform === 'win32';
  const fromNpm = process.env.npm_execpath;
  const options = [...args, '--loglevel=error', '--no-audit', '--no-fund', '--no-update-notifier'];
  if (fromNpm && /\.c?js$/.test(fromNpm)) return runNode([fromNpm, ...options], o);
  return run(shell ? 'npm.cmd' : 'npm', options, o);
}
