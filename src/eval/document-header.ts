import { badLine, type Place, quote } from './text-file.js';

/** What is indexed beside the text of a document. */
export interface DocumentHeader {
  speaker?: string;
  date?: string;
  author?: string;
  keywords?: string[];
}

/**
 * The header of a document, from these four fields of its `meta` and from no other: a collection's `meta` also says
 * what would give answers away (the document a passage was cut from, the session it belongs to).
 */
export function documentHeader(meta: Record<string, unknown>, place: Place): DocumentHeader {
  const header: DocumentHeader = {};
  for (const name of ['speaker', 'date', 'author'] as const) {
    const text = metaText(meta, name, place);
    if (text !== null) header[name] = text;
  }
  const keywords = keywordList(meta.keywords, place);
  if (keywords.length > 0) header.keywords = keywords;
  return header;
}

/** A field of `meta` that holds text; null when it is absent or blank. */
export function metaText(meta: Record<string, unknown>, name: string, place: Place): string | null {
  const value = meta[name] ?? '';
  if (typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))) {
    return String(value).trim() === '' ? null : String(value).trim();
  }
  throw badLine(
    place,
    `has a meta.${name} that is no text: ${quote(value)}`,
    `Write meta.${name} as a string.`,
  );
}

/** Keywords as a list, or as one string that separates them by commas or semicolons. */
function keywordList(value: unknown, place: Place): string[] {
  const list = typeof value === 'string' ? value.split(/[,;]/) : (value ?? []);
  if (!Array.isArray(list) || !list.every((entry) => typeof entry === 'string')) {
    throw badLine(
      place,
      `has meta.keywords that are neither text nor a list of texts: ${quote(value)}`,
      'Write "one, two" or ["one", "two"].',
    );
  }
  return list.map((entry) => entry.trim()).filter((entry) => entry !== '');
}
