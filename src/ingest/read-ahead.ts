import { readFile, stat } from 'node:fs/promises';
import { defaults } from '../core/defaults.js';
import { errorDetail } from './error-detail.js';
import type { FoundFile } from './walk.js';

/** The bytes of a file, or why they are not to be had. */
export type FileRead = { file: FoundFile } & (
  | { bytes: Buffer; modifiedAt: number }
  | { skip: 'unreadable' | 'too-large'; detail: string }
);

/**
 * Reads files in the order given, some at a time, within a bound on what is held. Sizes are looked at first; how large a file
 * may be depends on its kind.
 */
export async function* readAhead(
  files: readonly FoundFile[],
  maxBytesOf: (path: string) => number,
): AsyncGenerator<FileRead> {
  for (let at = 0; at < files.length; ) {
    const sized = await Promise.all(files.slice(at, at + defaults.ingest.readAheadFiles).map(sizeOf));
    let count = 0;
    let bytes = 0;
    for (const { file, size } of sized) {
      const next = size > maxBytesOf(file.path) ? 0 : size;
      if (count > 0 && bytes + next > defaults.ingest.readAheadBytes) break;
      bytes += next;
      count++;
    }
    yield* await Promise.all(
      sized.slice(0, count).map((each) => readSized(each, maxBytesOf(each.file.path))),
    );
    at += count;
  }
}

interface Sized {
  file: FoundFile;
  size: number;
  modifiedAt: number;
  problem?: string;
}

async function sizeOf(file: FoundFile): Promise<Sized> {
  try {
    const stats = await stat(file.absolute);
    const sized = { file, size: stats.size, modifiedAt: stats.mtimeMs };
    // Opening a pipe would wait for its other end for ever.
    return stats.isFile() ? sized : { ...sized, size: 0, problem: 'not a regular file' };
  } catch (error) {
    return { file, size: 0, modifiedAt: 0, problem: errorDetail(error) };
  }
}

async function readSized({ file, size, modifiedAt, problem }: Sized, maxBytes: number): Promise<FileRead> {
  if (problem !== undefined) return { file, skip: 'unreadable', detail: problem };
  if (size > maxBytes) return { file, ...tooLarge(size, maxBytes) };
  try {
    const bytes = await readFile(file.absolute);
    // It may have grown since its size was looked at.
    return bytes.length > maxBytes
      ? { file, ...tooLarge(bytes.length, maxBytes) }
      : { file, bytes, modifiedAt };
  } catch (error) {
    return { file, skip: 'unreadable', detail: errorDetail(error) };
  }
}

function tooLarge(size: number, maxBytes: number): { skip: 'too-large'; detail: string } {
  return { skip: 'too-large', detail: `${size} bytes, at most ${maxBytes} are read` };
}
