import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CorvidError } from '../index.js';

/** One line of a text file; numbers start at 1. */
export interface Line {
  number: number;
  text: string;
}

/** A place in a file, as messages name it. */
export interface Place {
  path: string;
  line: number;
}

/**
 * Lines of a UTF-8 file that hold something, without their line ends and without a byte order mark.
 *
 * @throws CorvidError `bad-collection` when the file is missing or cannot be read; `hint` is its remedy.
 */
export function readLines(path: string, hint: string): Line[] {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (cause) {
    const missing = codeOf(cause) === 'ENOENT';
    throw new CorvidError('bad-collection', `${path} ${missing ? 'does not exist' : 'cannot be read'}.`, {
      hint,
      cause,
    });
  }
  return content
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((text, i) => ({ number: i + 1, text: text.replace(/\r$/, '') }))
    .filter(({ text }) => text.trim() !== '');
}

/** The JSON object of one line of a JSON Lines file. */
export function parseObject(text: string, place: Place): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw badLine(place, `is not JSON: ${quote(text)}`, 'Write one JSON object a line.', cause);
  }
  if (!isObject(value)) {
    throw badLine(place, `holds no JSON object: ${quote(text)}`, 'Write one JSON object a line.');
  }
  return value;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An error that names the file and the line. */
export function badLine(place: Place, what: string, hint: string, cause?: unknown): CorvidError {
  return new CorvidError('bad-collection', `${place.path} line ${place.line} ${what}.`, { hint, cause });
}

/** A value as it may stand in a message: as JSON, on one line, short. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/**
 * Makes sure, before hours of work are done for it, that a file can be written: its folder is made when it is missing.
 *
 * @throws CorvidError `invalid-argument` when the path is a folder, `io` when the folder cannot be made.
 */
export function prepareFile(path: string, option: string): void {
  if (isFolder(path)) {
    throw new CorvidError('invalid-argument', `${option} names a folder: ${quote(path)}.`, {
      hint: 'Name a file.',
    });
  }
  attempt(`The folder of ${path} cannot be made.`, () => mkdirSync(dirname(path), { recursive: true }));
}

/** Writes a UTF-8 file, over an older one. */
export function writeText(path: string, content: string): void {
  attempt(`${path} cannot be written.`, () => writeFileSync(path, content));
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function attempt(message: string, act: () => void): void {
  try {
    act();
  } catch (cause) {
    throw new CorvidError('io', `${message} (${codeOf(cause) ?? String(cause)})`, {
      hint: 'Check that the folder exists, may be written to and has room, or name another place.',
      cause,
    });
  }
}

function codeOf(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
}
