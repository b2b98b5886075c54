import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { globSync } from 'tinyglobby';

/** The root of the repository. */
export const root = resolve(import.meta.dirname, '../..');

/** Paths of the pages a user reads, relative to the root. Decision records are for maintainers and hold no examples. */
export function docFiles(): string[] {
  return ['README.md', ...globSync('docs/*.md', { cwd: root }).sort()];
}

export function readDoc(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
