import { fileURLToPath } from 'node:url';

/** The repository's root folder, whatever the current folder is. */
export const root = fileURLToPath(new URL('../../', import.meta.url));
