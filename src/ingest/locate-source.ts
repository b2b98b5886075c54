import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { CorvidError, show } from '../errors.js';
import { errorDetail } from './error-detail.js';
import type { FoundFile } from './walk.js';

/** What is to be ingested. */
export interface SourcePlace {
  /** Name of the source: as given, else the folder's absolute path. */
  source: string;
  /** The folder, absolute. */
  root: string;
  /** The one file to look at; absent for the whole folder. */
  only?: FoundFile;
}

/**
 * Finds the folder or file. A single file belongs to the source of its folder, under its name; when the source
 * is named by the absolute path of a folder further out, under its path from there, as an ingest of that folder
 * has it.
 *
 * @throws CorvidError `no-such-file`, `io`, or `invalid-argument` for what is neither folder nor file.
 */
export async function locateSource(path: string, source: string | undefined): Promise<SourcePlace> {
  const absolute = resolve(path);
  let stats: Stats;
  try {
    stats = await stat(absolute);
  } catch (error) {
    const code = errorDetail(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new CorvidError('no-such-file', `There is no folder or file ${show(path)}.`, {
        hint: 'Check the path. Nothing that was ingested from it before has been removed.',
        cause: error,
      });
    }
    throw unreadable(path, error);
  }
  if (stats.isDirectory()) return { source: source ?? absolute, root: absolute };
  if (!stats.isFile()) {
    throw new CorvidError('invalid-argument', `${show(path)} is neither a folder nor a regular file.`, {
      hint: 'Name a folder or a file.',
    });
  }
  const folder = dirname(absolute);
  if (source !== undefined && isAbsolute(source)) {
    const way = relative(source, absolute);
    if (!isAbsolute(way) && way !== '' && way.split(sep)[0] !== '..') {
      return { source, root: source, only: { path: way.split(sep).join('/'), absolute } };
    }
  }
  return { source: source ?? folder, root: folder, only: { path: basename(absolute), absolute } };
}

/** A folder or file that the file system does not let us read. */
export function unreadable(path: string, cause: unknown): CorvidError {
  return new CorvidError('io', `${show(path)} cannot be read (${errorDetail(cause)}).`, {
    hint: 'Check its permissions. Nothing that was ingested from it before has been removed.',
    cause,
  });
}
