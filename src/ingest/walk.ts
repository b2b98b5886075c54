import type { Dirent, Stats } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { SkippedFile } from '../contracts/index.js';
import { throwIfAborted } from '../errors.js';
import { errorDetail } from './error-detail.js';
import { globMatcher, IgnoreRules } from './ignore-rules.js';

/** A file to read. */
export interface FoundFile {
  /** Relative to the root, with forward slashes. */
  path: string;
  absolute: string;
}

export interface WalkOptions {
  /** Whether files of this name can be read; others are passed over in silence. */
  supports: (name: string) => boolean;
  /** Absolute paths that are never read, such as the store's own files. */
  avoid?: readonly string[] | undefined;
  include?: readonly string[] | undefined;
  exclude?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
}

export interface WalkResult {
  /** Ordered by path (UTF-16 units), every real file once. */
  files: FoundFile[];
  /** What was passed over; a folder's path ends in a slash. */
  skipped: SkippedFile[];
}

/** Folders that hold no notes, also where a link leads into them. */
export const NEVER: ReadonlySet<string> = new Set(['.git', 'node_modules', '.corvid']);
export const IGNORE_FILES: readonly string[] = ['.gitignore', '.corvidignore'];

/**
 * Lists the readable files below a folder. Left out: hidden files and folders, `node_modules`, and what
 * `.gitignore` and `.corvidignore` (at any depth) say. A link is followed when it leads to something inside the
 * folder that is not reached without it; every other link is reported. What cannot be opened is reported, and
 * only a root that cannot be listed throws (the file system's own error).
 */
export async function walk(root: string, o: WalkOptions): Promise<WalkResult> {
  const walker = new Walker(await realpath(root), o, await resolveAll(o.avoid ?? []));
  await walker.run();
  const byPath = (a: { path: string }, b: { path: string }) =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
  return { files: walker.files.sort(byPath), skipped: walker.skipped.sort(byPath) };
}

/** A folder or link still to be looked at. */
interface Pending {
  absolute: string;
  /** Relative path, '' or ending in a slash for a folder. */
  path: string;
  rules: IgnoreRules;
}

class Walker {
  readonly files: FoundFile[] = [];
  readonly skipped: SkippedFile[] = [];
  readonly #root: string;
  readonly #o: WalkOptions;
  readonly #avoid: ReadonlySet<string>;
  readonly #included: ((path: string) => boolean) | null;
  readonly #excluded: (path: string) => boolean;
  /** Real paths of the files and folders reached so far. */
  readonly #reached = new Set<string>();
  readonly #folders: Pending[] = [];
  /** Links wait until all real files are known: a file is listed under its own path, not under a link's. */
  readonly #links: Pending[] = [];

  constructor(root: string, o: WalkOptions, avoid: ReadonlySet<string>) {
    this.#root = root;
    this.#o = o;
    this.#avoid = avoid;
    this.#included = o.include && o.include.length > 0 ? globMatcher(o.include) : null;
    this.#excluded = globMatcher(o.exclude ?? []);
  }

  async run(): Promise<void> {
    this.#reached.add(this.#root);
    await this.#list({ absolute: this.#root, path: '', rules: new IgnoreRules() });
    for (;;) {
      throwIfAborted(this.#o.signal);
      const folder = this.#folders.pop();
      if (folder) {
        try {
          await this.#list(folder);
        } catch (error) {
          this.#skip(folder.path, 'unreadable', errorDetail(error));
        }
        continue;
      }
      const link = this.#links.shift();
      if (!link) return;
      await this.#follow(link);
    }
  }

  async #list({ absolute, path, rules }: Pending): Promise<void> {
    const entries = await readdir(absolute, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const inside = rules.within(path, await ignoreFiles(absolute, entries));
    for (const entry of entries)
      this.#enter(entry, { absolute: join(absolute, entry.name), path: path + entry.name, rules: inside });
  }

  #enter(entry: Dirent, at: Pending): void {
    if (entry.name.startsWith('.') || NEVER.has(entry.name)) return;
    if (entry.isSymbolicLink()) {
      if (!at.rules.ignores(at.path) && !this.#excluded(at.path)) this.#links.push(at);
    } else if (entry.isDirectory()) this.#enterFolder(at, at.absolute);
    else if (entry.isFile()) this.#enterFile(at, at.absolute);
    else if (this.#wants(at)) this.#skip(at.path, 'unreadable', 'not a regular file');
  }

  #enterFolder(at: Pending, real: string): void {
    const path = `${at.path}/`;
    if (at.rules.ignores(path) || this.#excluded(path) || this.#reached.has(real)) return;
    this.#reached.add(real);
    this.#folders.push({ ...at, path });
  }

  #enterFile(at: Pending, real: string): void {
    if (!this.#wants(at) || this.#avoid.has(real) || this.#reached.has(real)) return;
    this.#reached.add(real);
    this.files.push({ path: at.path, absolute: at.absolute });
  }

  #wants({ path, rules }: Pending): boolean {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return (
      this.#o.supports(name) &&
      !rules.ignores(path) &&
      !this.#excluded(path) &&
      (this.#included?.(path) ?? true)
    );
  }

  async #follow(link: Pending): Promise<void> {
    let real: string;
    let target: Stats;
    try {
      real = await realpath(link.absolute);
      target = await stat(real);
    } catch (error) {
      this.#skip(link.path, 'symlink', `leads nowhere (${errorDetail(error)})`);
      return;
    }
    // A link to a file of a kind that is not read is no news.
    if (!target.isDirectory() && !this.#wants(link)) return;
    if (!isInside(this.#root, real)) this.#skip(link.path, 'symlink', 'leads out of the folder');
    else if (
      relative(this.#root, real)
        .split(sep)
        .some((name) => NEVER.has(name))
    ) {
      this.#skip(link.path, 'symlink', 'leads into a folder that is never read');
    } else if (this.#reached.has(real)) {
      this.#skip(link.path, 'symlink', 'leads to what is read under its own path');
    } else if (target.isDirectory()) this.#enterFolder({ ...link, absolute: real }, real);
    else if (target.isFile()) this.#enterFile({ ...link, absolute: real }, real);
  }

  #skip(path: string, reason: string, detail: string): void {
    this.skipped.push({ path, reason, detail });
  }
}

/** Whether a real path is the root or below it. */
function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`));
}

async function ignoreFiles(folder: string, entries: readonly Dirent[]): Promise<string[]> {
  const contents: string[] = [];
  for (const name of IGNORE_FILES) {
    if (!entries.some((entry) => entry.name === name && !entry.isDirectory())) continue;
    try {
      contents.push((await readFile(join(folder, name), 'utf8')).replace(/^\uFEFF/, ''));
    } catch {
      // Rules that cannot be read rule nothing.
    }
  }
  return contents;
}

/** The paths, each also with its links resolved where it exists. */
async function resolveAll(paths: readonly string[]): Promise<Set<string>> {
  const all = new Set(paths);
  for (const path of paths) {
    try {
      all.add(await realpath(path));
    } catch {
      // Not there now: there is nothing to avoid.
    }
  }
  return all;
}
