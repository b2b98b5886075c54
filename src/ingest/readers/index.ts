import type { Reader } from '../../contracts/index.js';
import { codeReader, jsonReader } from './code.js';
import { htmlReader } from './html.js';
import { jsonLinesReader } from './json-lines.js';
import { markdownReader } from './markdown.js';
import { textReader } from './text.js';

/** The readers that ingest uses when it is given none. */
export const standardReaders: readonly Reader[] = [
  markdownReader,
  textReader,
  htmlReader,
  jsonLinesReader,
  jsonReader,
  codeReader,
];

/** The reader for a file by its path, by the file's name or extension in any case; the first of several. */
export function readerFor(readers: readonly Reader[], path: string): Reader | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return readers.find(
    ({ extensions, names }) =>
      names?.includes(name) ||
      extensions.some((extension) => name.length > extension.length && name.endsWith(extension)),
  );
}
