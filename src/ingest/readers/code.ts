import type { FileReader } from '../../contracts/index.js';
import { codeExtensions, codeLanguage, codeNames } from '../../core/chunk/code-language.js';
import { defaults } from '../../core/defaults.js';
import { cleanTitle } from './file-title.js';

const read: FileReader['read'] = ({ path, text, modifiedAt }) => ({
  kind: 'document',
  title: cleanTitle(path.slice(path.lastIndexOf('/') + 1)),
  text,
  occurredAt: Math.trunc(modifiedAt),
  meta: { language: codeLanguage(path) },
});

/** Code as it stands: the file's name with its extension is the title, `meta.language` its language. */
export const codeReader: FileReader = {
  name: 'code',
  extensions: codeExtensions.filter((extension) => extension !== '.json'),
  names: codeNames,
  read,
};

/** JSON up to a size at which it is rather data than something that was written. */
export const jsonReader: FileReader = {
  name: 'json',
  extensions: ['.json'],
  maxBytes: defaults.ingest.maxJsonBytes,
  read,
};
