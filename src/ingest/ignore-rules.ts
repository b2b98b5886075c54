import ignore, { type Ignore } from 'ignore';

/** Ignore files in one folder; they hold for it and all below. */
interface Level {
  /** Relative to the root; '' or ending in a slash. */
  base: string;
  rules: Ignore;
}

/** The ignore files that hold in a folder, outermost first. A rule further in overrides those further out. */
export class IgnoreRules {
  readonly #levels: readonly Level[];

  constructor(levels: readonly Level[] = []) {
    this.#levels = levels;
  }

  /** With the ignore files of one more folder. `base` is its relative path, '' or ending in a slash. */
  within(base: string, contents: readonly string[]): IgnoreRules {
    if (contents.length === 0) return this;
    return new IgnoreRules([...this.#levels, { base, rules: ignore().add(contents.map(String)) }]);
  }

  /** Whether a path (a folder's ends in a slash) is ignored; its parents are not. */
  ignores(path: string): boolean {
    let ignored = false;
    for (const { base, rules } of this.#levels) {
      const result = rules.test(path.slice(base.length));
      if (result.ignored) ignored = true;
      else if (result.unignored) ignored = false;
    }
    return ignored;
  }
}

/** A test of relative paths by globs as in `.gitignore`: `*.md` at any depth, `/drafts/`, `notes/**`. */
export function globMatcher(globs: readonly string[]): (path: string) => boolean {
  const rules = ignore().add(globs.map((glob) => glob.replaceAll('\\', '/').replace(/^\.\//, '/')));
  return (path) => rules.ignores(path);
}
