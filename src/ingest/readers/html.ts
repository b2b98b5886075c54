import type { FileReader, Json, ReadItem } from '../../contracts/index.js';
import { defaults } from '../../core/defaults.js';
import { authoredAt } from './authored-at.js';
import { cleanTitle, fileTitle } from './file-title.js';
import { htmlToText } from './html-to-text.js';

const DATE_NAMES = ['article:modified_time', 'article:published_time', 'date', 'dc.date', 'last-modified'];

/**
 * HTML as readable text in the manner of markdown: what the item holds, and what offsets refer to, is this text.
 * Title: `<title>`, else the first `<h1>`, else the file's name. `description` goes to the meta.
 */
export const htmlReader: FileReader = {
  name: 'html',
  extensions: ['.html', '.htm', '.xhtml'],
  declaredCharset,
  read({ path, text, modifiedAt }): ReadItem {
    const page = htmlToText(text);
    const named = (name: string) => cleanTitle(page.meta.get(name) ?? '');
    const item: ReadItem = {
      kind: 'document',
      title: cleanTitle(page.title) || cleanTitle(page.heading) || cleanTitle(fileTitle(path)),
      text: page.text,
      occurredAt: dateOf(page.meta) ?? Math.trunc(modifiedAt),
    };
    const author = named('author') || named('article:author');
    if (author !== '') item.author = author;
    const keywords = (page.meta.get('keywords') ?? '')
      .split(/[,;]/)
      .map((keyword) => cleanTitle(keyword))
      .filter((keyword) => keyword !== '' && keyword.length <= defaults.ingest.maxTagChars);
    if (keywords.length > 0) item.keywords = [...new Set(keywords)].slice(0, defaults.ingest.maxTags);
    const meta: Record<string, Json> = {};
    const description = page.meta.get('description') ?? page.meta.get('og:description') ?? '';
    if (description.trim() !== '') meta.description = description.trim();
    if (page.language !== '') meta.language = page.language;
    if (Object.keys(meta).length > 0) item.meta = meta;
    return item;
  },
};

function dateOf(meta: ReadonlyMap<string, string>): number | undefined {
  for (const name of DATE_NAMES) {
    const value = meta.get(name);
    const time = value === undefined ? undefined : authoredAt({ date: value });
    if (time !== undefined) return time;
  }
  return undefined;
}

/** The encoding that a page names in a `<meta>` near its beginning, or in its XML declaration. */
function declaredCharset(head: string): string | undefined {
  const match =
    /<meta\s[^>]{0,200}?charset\s*=\s*["']?\s*([\w:.-]{1,40})/i.exec(head) ??
    /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w:.-]{1,40})/i.exec(head);
  return match?.[1];
}
