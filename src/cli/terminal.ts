import { addAbortSignal, type Readable, type Writable } from 'node:stream';

/** Where a command reads and writes. Data goes to `stdout`, everything else to `stderr`. */
export interface Terminal {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean; columns?: number };
  stderr: Writable & { isTTY?: boolean; columns?: number };
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Ends when the user interrupts. */
  signal: AbortSignal;
}

/** What a command prints with. */
export interface Output {
  /** A line of data. */
  line(text: string): void;
  /** One JSON value: indented for one object, on a single line for one of many. */
  json(value: unknown, o?: { oneLine?: boolean }): void;
  /** A line for the person: warnings and what was done. Silent with --quiet. */
  note(text: string): void;
  /** A line for the person that --quiet does not silence. */
  warn(text: string): void;
  /** Replaces the progress line; nothing where stderr is no terminal. */
  progress(text: string): void;
  endProgress(): void;
  bold(text: string): string;
  dim(text: string): string;
}

export function makeOutput(terminal: Terminal, o: { quiet: boolean }): Output {
  const colour = terminal.stdout.isTTY === true && !terminal.env.NO_COLOR;
  const style = (code: number, text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const showProgress = terminal.stderr.isTTY === true && !o.quiet;
  let progressShown = false;
  const endProgress = () => {
    if (progressShown) terminal.stderr.write('\r\u001b[K');
    progressShown = false;
  };
  return {
    line: (text) => void terminal.stdout.write(`${text}\n`),
    json: (value, { oneLine = false } = {}) =>
      void terminal.stdout.write(`${printableJson(value, oneLine ? undefined : 2)}\n`),
    note(text) {
      endProgress();
      if (!o.quiet) terminal.stderr.write(`${text}\n`);
    },
    warn(text) {
      endProgress();
      terminal.stderr.write(`${text}\n`);
    },
    progress(text) {
      if (!showProgress) return;
      // A line that wraps could not be cleared.
      const width = terminal.stderr.columns ?? 80;
      terminal.stderr.write(`\r\u001b[K${text.slice(0, width - 1)}`);
      progressShown = true;
    },
    endProgress,
    bold: (text) => style(1, text),
    dim: (text) => style(2, text),
  };
}

/**
 * Stored text as a terminal may show it: control characters (escape sequences among them) and marks that turn the
 * direction of text become visible signs, since a memory could otherwise repaint the screen.
 */
export function printable(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    escaped,
  );
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * JSON without raw control characters or marks of direction. Such characters stand in strings only, where the escape
 * means the same character.
 */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    escaped,
  );
}

/** {@link printable}, on one line. */
export function printableLine(text: string): string {
  return printable(text.replace(/[\s\u2028\u2029]+/g, ' ').trim());
}

/** All of standard input as UTF-8. Ends with an error when the user interrupts. */
export async function readAll({ stdin, signal }: Pick<Terminal, 'stdin' | 'signal'>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of addAbortSignal(signal, stdin)) parts.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(parts).toString('utf8');
}
