import type { FileReader } from '../../contracts/index.js';
import { cleanTitle, fileTitle } from './file-title.js';

/** Plain text: the file's name is the title, its modification time the date. */
export const textReader: FileReader = {
  name: 'text',
  extensions: ['.txt', '.text', '.log'],
  read: ({ path, text, modifiedAt }) => ({
    kind: 'document',
    title: cleanTitle(fileTitle(path)),
    text,
    occurredAt: Math.trunc(modifiedAt),
  }),
};
