import { readFileSync } from 'node:fs';

/** The package's version, read from its package.json: loading the library only to name it would take longer. */
export const version: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
