import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { IgnoreRules } from './ignore-rules.js';
import { IGNORE_FILES, NEVER } from './walk.js';

/** Which paths below a folder a watch looks at: as a walk of it does. Ignore files are read once a folder. */
export class WatchRules {
  readonly #root: string;
  readonly #avoid: ReadonlySet<string>;
  readonly #rules = new Map<string, IgnoreRules>();

  constructor(root: string, avoid: Iterable<string>) {
    this.#root = root;
    this.#avoid = new Set(avoid);
  }

  /** Whether nothing that happens at a path (absolute) matters. A folder is only known as one by `isFolder`. */
  ignores(path: string, isFolder: boolean): boolean {
    if (path === this.#root) return false;
    if (this.#avoid.has(path)) return true;
    const way = relative(this.#root, path).split(sep);
    if (way[0] === '..') return true;
    if (isIgnoreFile(path)) return this.#hides(dirname(path));
    if (way.some((part) => part.startsWith('.') || NEVER.has(part))) return true;
    if (this.#hides(dirname(path))) return true;
    return this.#rulesOf(dirname(path)).ignores(this.#relative(path) + (isFolder ? '/' : ''));
  }

  /** Whether a folder, or one around it, is ignored. */
  #hides(folder: string): boolean {
    if (folder === this.#root || !folder.startsWith(this.#root)) return false;
    return this.ignores(folder, true);
  }

  #rulesOf(folder: string): IgnoreRules {
    const known = this.#rules.get(folder);
    if (known) return known;
    const outer = folder === this.#root ? new IgnoreRules() : this.#rulesOf(dirname(folder));
    const base = folder === this.#root ? '' : `${this.#relative(folder)}/`;
    const rules = outer.within(base, readIgnoreFiles(folder));
    this.#rules.set(folder, rules);
    return rules;
  }

  #relative(path: string): string {
    return relative(this.#root, path).split(sep).join('/');
  }
}

export function isIgnoreFile(path: string): boolean {
  return IGNORE_FILES.includes(basename(path));
}

function readIgnoreFiles(folder: string): string[] {
  return IGNORE_FILES.flatMap((name) => {
    try {
      return [readFileSync(join(folder, name), 'utf8').replace(/^\uFEFF/, '')];
    } catch {
      // Not there, or not to be read: it rules nothing.
      return [];
    }
  });
}
