#!/usr/bin/env node
import { runCommand } from './program.js';

/**
 * The one place where the process ends: once all that was written has been taken, however slow the reader
 * (`corvid list --json | less`), and then also where something would keep the process alive.
 */
function exit(code: number): void {
  process.exitCode = code;
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
}

// The reader of a pipe has seen enough (`corvid list | head`): that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

// Whoever read the messages is gone; the command itself goes on.
process.stderr.on('error', () => {});

const interrupt = new AbortController();
process.once('SIGINT', () => {
  interrupt.abort(new Error('interrupted'));
  // A second time, or when nothing listens to the signal, the process ends at once.
  process.once('SIGINT', () => process.exit(130));
});

exit(
  await runCommand(process.argv.slice(2), {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    signal: interrupt.signal,
  }),
);
