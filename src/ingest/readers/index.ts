import type { Reader } from '../../contracts/index.js';
import { markdownReader } from './markdown.js';
import { textReader } from './text.js';

/** The readers that ingest uses when it is given none. */
export const standardReaders: readonly Reader[] = [markdownReader, textReader];

/** The reader for a file name, by its extension in any case; the first of several. */
export function readerFor(readers: readonly Reader[], name: string): Reader | undefined {
  const lower = name.toLowerCase();
  return readers.find(({ extensions }) =>
    extensions.some((extension) => lower.length > extension.length && lower.endsWith(extension)),
  );
}
