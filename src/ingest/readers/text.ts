import type { Reader } from '../../contracts/index.js';
import { cleanTitle, fileTitle } from './file-title.js';

/** Plain text: the file's name is the title, its modification time the date. */
export const textReader: Reader = {
  name: 'text',
  extensions: ['.txt', '.text', '.log'],
  read: ({ path, text, modifiedAt }) => ({
    kind: 'document',
    title: cleanTitle(fileTitle(path)),
    text,
    occurredAt: Math.trunc(modifiedAt),
  }),
};
