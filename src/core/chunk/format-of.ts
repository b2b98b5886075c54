import type { ItemKind } from '../../contracts/index.js';
import type { ChunkOptions } from './chunk-text.js';
import { codeLanguage } from './code-language.js';

/**
 * How an item's text is cut. Authored texts are code when their file is, else they may hold markdown; what was
 * said or observed is plain. A page of the web named `index.php` and a line of a JSON Lines file are no code files.
 */
export function formatOf(kind: ItemKind, uri: string | null): Pick<ChunkOptions, 'format' | 'language'> {
  if (uri !== null && /\.(txt|text|log)$/i.test(uri)) return { format: 'plain' };
  if (kind !== 'document' && kind !== 'note') return { format: 'plain' };
  const isFile =
    uri !== null && !/^(?!file:)[a-z][a-z0-9+.-]*:\/\//i.test(uri) && !/\.(jsonl|ndjson)#[^/]*$/i.test(uri);
  const language = isFile ? codeLanguage(uri) : null;
  return language === null ? { format: 'markdown' } : { format: 'code', language };
}
