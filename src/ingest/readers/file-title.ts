import { defaults } from '../../core/defaults.js';

/** The file name of a path with forward slashes, without its extension. */
export function fileTitle(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

/** A title on one line, of bounded length. */
export function cleanTitle(title: string): string {
  const line = title
    .slice(0, 4 * defaults.ingest.maxTitleChars)
    .replace(/\s+/g, ' ')
    .trim();
  return line.slice(0, defaults.ingest.maxTitleChars).toWellFormed().trim();
}
