import { parseDocument, Schema } from 'yaml';
import type { Json } from '../../contracts/index.js';
import { frontmatterEnd } from '../../core/chunk/frontmatter-end.js';
import { toJson } from './to-json.js';

/** Made once: a document would make one of its own each time, which costs more than a short one's parse. */
const SCHEMA = new Schema({ schema: 'core' });

/** What frontmatter says, as JSON values. */
export type Frontmatter = { readonly [key: string]: Json };

/**
 * The metadata of a markdown text. Frontmatter that is no YAML mapping counts as none: a slip in it must not
 * keep a note out of the index. Aliases are expanded a bounded number of times.
 */
export function readFrontmatter(text: string): Frontmatter {
  const end = frontmatterEnd(text);
  if (end === 0) return {};
  const lines = text.slice(0, end).replace(/\r\n?/g, '\n').trimEnd().split('\n');
  const yaml = lines.slice(1, -1).join('\n');
  // YAML forbids tabs as indentation, editors do not.
  return parse(yaml) ?? parse(yaml.replace(/^[ \t]+/gm, (indent) => indent.replaceAll('\t', '  '))) ?? {};
}

function parse(yaml: string): Frontmatter | null {
  try {
    const document = parseDocument(yaml, {
      uniqueKeys: false,
      logLevel: 'silent',
      prettyErrors: false,
      schema: SCHEMA,
    });
    if (document.errors.length > 0) return null;
    const value = toJson(document.toJS({ maxAliasCount: 50 }));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Frontmatter)
      : null;
  } catch {
    // Too many aliases, or nested so deep that the parser gave up.
    return null;
  }
}
