import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { globSync } from 'tinyglobby';
import { describe, expect, it } from 'vitest';
import { verbs } from '../../src/cli/commands/index.js';
import { addGlobalFlags } from '../../src/cli/flags.js';
import { defaults, errorTable, open } from '../../src/index.js';
import * as schemas from '../../src/schemas/index.js';
import { tempFolder } from '../support/temp.js';
import { prose } from './code-blocks.js';
import { docFiles, readDoc, root } from './doc-files.js';
import { makeBin, runCommandLine } from './run-command.js';

/** Names in backticks, whatever else is in them. */
function named(page: string): Set<string> {
  return new Set(prose(page).match(/(?<=`)[^`\n]+(?=`)/g) ?? []);
}

function missing(names: Iterable<string>, page: string): string[] {
  const there = [...named(page)].flatMap((code) => code.split(/[^\w-]+/));
  return [...names].filter((name) => !there.includes(name));
}

/** The cells of the table rows of a page, backticks taken off. */
function rows(page: string): string[][] {
  return prose(page)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim().replaceAll('`', '')),
    );
}

const flagsOf = (command: Command) =>
  command.options.flatMap(({ long, short }) => [long, short]).filter((f) => f != null);
const globalFlags = flagsOf(addGlobalFlags(new Command()));
const verbFlags = verbs.map(({ name, flags }) => ({
  name,
  flags: flags ? flagsOf(flags(new Command())) : [],
}));

describe('docs/cli.md', () => {
  const page = readDoc('docs/cli.md');

  it('shows the help of every verb as it is printed (after a change: npx vitest run test/docs -u)', async () => {
    const folder = tempFolder();
    const where = { cwd: folder, bin: makeBin(folder), home: folder };
    const marker = '<!-- Below: the output of --help, kept by test/docs. -->\n';
    expect(page).toContain(marker);
    const parts = [page.slice(0, page.indexOf(marker)), marker];
    for (const command of ['corvid', ...verbs.map(({ name }) => `corvid ${name}`)]) {
      const { lines } = await runCommandLine(`${command} --help`, where);
      parts.push(`\n### ${command}\n\n`, '```text\n', `${lines.join('\n')}\n`, '```\n');
    }
    await expect(parts.join('')).toMatchFileSnapshot(join(root, 'docs/cli.md'));
  }, 180_000);

  it('has a row for every verb, and none for another', () => {
    const described = rows(page).flatMap(([cell]) => /^corvid (\w+)/.exec(cell ?? '')?.[1] ?? []);
    expect(described).toEqual(verbs.map(({ name }) => name));
  });

  it.each(verbFlags)('names every flag of $name', ({ flags }) => {
    expect(flags.filter((flag) => !new RegExp(`(?<![\\w-])${flag}(?![\\w-])`).test(page))).toEqual([]);
  });

  it('explains every flag that all verbs share', () => {
    expect(
      missing(
        globalFlags.filter((flag) => flag.startsWith('--')),
        page,
      ),
    ).toEqual([]);
  });
});

describe('docs/configuration.md', () => {
  const page = readDoc('docs/configuration.md');
  const source = globSync('src/**/*.ts', { cwd: root, ignore: 'src/**/*.test.ts' })
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');
  const variables = (text: string) => new Set(text.match(/\b(?:CORVID|XDG)_[A-Z_]+\b|\bNO_COLOR\b/g));

  it('names every environment variable, and no other', () => {
    expect([...variables(page)].sort()).toEqual([...variables(source)].sort());
  });

  it('has a row for every setting, with its default', async () => {
    const folder = tempFolder();
    const where = { cwd: folder, bin: makeBin(folder), home: folder };
    const { lines } = await runCommandLine('corvid config --json', where);
    const { settings } = JSON.parse(lines.join('\n')) as { settings: { name: string; value: unknown }[] };
    const table = new Map(rows(page).map(([name, , , value]) => [name, value]));
    for (const { name, value } of settings) {
      expect(table.has(name), name).toBe(true);
      if (name !== 'db' && value !== null)
        expect(table.get(name), name).toBe(Array.isArray(value) ? 'none' : String(value));
    }
  });
});

describe('docs/errors.md', () => {
  it('has a row for every code, with its status and exit code, and no other', () => {
    const described = rows(readDoc('docs/errors.md'))
      .filter(([, status]) => /^\d+$/.test(status ?? ''))
      .map(([code, status, exit]) => [code, { status: Number(status), exit: Number(exit) }]);
    expect(Object.fromEntries(described)).toEqual(errorTable);
  });
});

describe('docs/library.md', () => {
  const page = readDoc('docs/library.md');

  it('has a heading for every call of a store', async () => {
    await using memory = await open(':memory:');
    const calls = Object.getOwnPropertyNames(Object.getPrototypeOf(memory)).filter(
      (name) => name !== 'constructor',
    );
    expect(calls).toContain('search');
    const headings = [...page.matchAll(/^### `(\w+)/gm)].map(([, name]) => name);
    expect(headings.filter((name) => name !== 'open').sort()).toEqual(calls.sort());
  });

  const {
    openOptions,
    newItem,
    itemPatch,
    searchOptions,
    filter,
    listOptions,
    addManyOptions,
    ingestOptions,
  } = schemas;
  const shapes = {
    openOptions,
    newItem,
    itemPatch,
    searchOptions,
    filter,
    listOptions,
    addManyOptions,
    ingestOptions,
  };
  it.each(Object.entries(shapes))('names every option of %s', (_, { shape }) => {
    expect(missing(Object.keys(shape), page)).toEqual([]);
  });
});

describe('docs/scoring.md', () => {
  it('has the weights of the columns as they are', () => {
    const table = new Map(
      rows(readDoc('docs/scoring.md')).map(([column, weight]) => [column, Number(weight)]),
    );
    for (const [column, weight] of Object.entries(defaults.columns))
      expect(table.get(column), column).toBe(weight);
  });
});

describe('every page', () => {
  it('names only flags that exist', () => {
    // Of npm and node, in the commands of the README.
    const known = new Set([
      ...globalFlags,
      ...verbFlags.flatMap(({ flags }) => flags),
      '--help',
      '--version',
    ]);
    for (const path of docFiles()) {
      const flags = [...named(readDoc(path))].flatMap(
        (code) => code.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? [],
      );
      expect(
        flags.filter((flag) => !known.has(flag)),
        path,
      ).toEqual([]);
    }
  });

  it('names only npm scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    for (const path of docFiles()) {
      const names = [...readDoc(path).matchAll(/npm (?:run (\w+)|(test))/g)].map(
        ([, run, test]) => run ?? test ?? '',
      );
      expect(
        names.filter((name) => !(name in scripts)),
        path,
      ).toEqual([]);
    }
  });

  it('links only to files that exist', () => {
    const records = globSync('docs/decisions/*.md', { cwd: root });
    for (const path of [...docFiles(), ...records]) {
      const links = [...prose(readDoc(path)).matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)].map(
        ([, to]) => to ?? '',
      );
      expect(
        links.filter((to) => !existsSync(join(root, dirname(path), to))),
        path,
      ).toEqual([]);
    }
  });

  it('is linked from the README', () => {
    const readme = readDoc('README.md');
    expect(docFiles().filter((path) => path !== 'README.md' && !readme.includes(`](${path})`))).toEqual([]);
  });
});
