import type { FileReader, Json, ReadItem } from '../../contracts/index.js';
import { frontmatterEnd } from '../../core/chunk/frontmatter-end.js';
import { scanMarkdown } from '../../core/chunk/scan-markdown.js';
import { defaults } from '../../core/defaults.js';
import { authoredAt } from './authored-at.js';
import { cleanTitle, fileTitle } from './file-title.js';
import { readFrontmatter } from './frontmatter.js';

/** Fields of frontmatter that become fields of the item; all others, with the dates, go to its meta. */
const TAKEN = new Set(['title', 'tags', 'keywords', 'author', 'authors', 'pinned', 'importance']);

/**
 * Markdown with YAML frontmatter. Title: frontmatter, else the first heading of level 1, else the first heading,
 * else the file's name. `occurredAt`: `updated`, `date` or `created`, else the file's modification time.
 */
export const markdownReader: FileReader = {
  name: 'markdown',
  extensions: ['.md', '.markdown', '.mdown', '.mkd'],
  read({ path, text, modifiedAt }): ReadItem {
    const front = readFrontmatter(text);
    const item: ReadItem = {
      kind: 'document',
      title: scalar(front.title) || headingTitle(text) || cleanTitle(fileTitle(path)),
      text,
      occurredAt: authoredAt(front) ?? Math.trunc(modifiedAt),
    };
    const tags = names(front.tags)
      .map((tag) => tag.replace(/^#+/, ''))
      .filter((tag) => tag !== '');
    if (tags.length > 0) item.tags = tags;
    const keywords = names(front.keywords, /[,;]/);
    if (keywords.length > 0) item.keywords = keywords;
    const author = [...people(front.author), ...people(front.authors)].join(', ');
    if (author !== '') item.author = author;
    if (front.pinned === true) item.pinned = true;
    if (typeof front.importance === 'number' && front.importance >= 0 && front.importance <= 1) {
      item.importance = front.importance;
    }
    const rest = Object.entries(front).filter(([key]) => !TAKEN.has(key));
    if (rest.length > 0) item.meta = Object.fromEntries(rest);
    return item;
  },
};

function headingTitle(text: string): string {
  const headings = scanMarkdown(text, frontmatterEnd(text)).headings.filter(({ title }) => title !== '');
  return cleanTitle((headings.find(({ level }) => level === 1) ?? headings[0])?.title ?? '');
}

/** A string or number as one line of text; '' for all else. */
function scalar(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? cleanTitle(String(value)) : '';
}

/** A list of names, or one string of several. */
function names(value: Json | undefined, separator: RegExp = /[,\s]+/): string[] {
  const list: readonly Json[] = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? value.split(separator)
      : [value ?? null];
  const clean = list
    .map((entry) => scalar(entry))
    .filter((name) => name !== '' && name.length <= defaults.ingest.maxTagChars);
  return [...new Set(clean)].slice(0, defaults.ingest.maxTags);
}

/** Authors as strings, or as mappings with a `name`. */
function people(value: Json | undefined): string[] {
  const list: readonly Json[] = Array.isArray(value) ? value : [value ?? null];
  return list
    .map((entry) =>
      typeof entry === 'object' && entry !== null && 'name' in entry ? scalar(entry.name) : scalar(entry),
    )
    .filter((name) => name !== '')
    .slice(0, defaults.ingest.maxTags);
}
