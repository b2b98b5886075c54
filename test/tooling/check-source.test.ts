import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

type Check = (path: string, text: string) => { path: string; line: number; rule: string }[];

const scripts = new URL('../../scripts/', import.meta.url);
const { checkCode } = (await import(new URL('lib/code-rules.mjs', scripts).href)) as { checkCode: Check };
const { checkText } = (await import(new URL('lib/text-rules.mjs', scripts).href)) as { checkText: Check };

/** The findings in a TypeScript file, as `line rule`. */
function inCode(path: string, ...lines: string[]): string[] {
  return checkCode(path, lines.join('\n')).map(({ line, rule }) => `${line} ${rule}`);
}

/** Runs the script on a folder with these files. */
function runOn(files: Record<string, string>): { code: number | null; stdout: string; stderr: string } {
  const folder = mkdtempSync(join(tmpdir(), 'corvid-rules-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const script = fileURLToPath(new URL('check-source.mjs', scripts));
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
    return { code: status, stdout, stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('the rules for code', () => {
  it.each([
    [
      'a set that nothing changes',
      'src/core/a.ts',
      "const names = new Set(['a']);\nexport const has = (s: string) => names.has(s);",
    ],
    ['process.exit in its one place', 'src/cli/main.ts', 'process.exit(2);'],
    [
      'prose that sounds like SQL',
      'src/cli/help.ts',
      "export const help = 'Delete from the store, or select a stream from the list; update or insert into it';",
    ],
    ['SQL in the store', 'src/store/items.ts', "export const sql = 'SELECT id FROM items';"],
    ['SQL in a test', 'src/ingest/a.test.ts', "export const sql = 'PRAGMA data_version';"],
  ])('let pass: %s', (_name, path, text) => {
    expect(inCode(path, text)).toEqual([]);
  });

  it.each([
    ['a statement in a string', "export const q = 'SELECT id FROM items';"],
    ['a statement in a template', `export const q = (t: string) => \`DELETE FROM \${t}\`;`],
    ['a statement over several lines', 'export const q = `SELECT id\n  FROM items`;'],
    ['a statement in joined strings', "export const q = 'SELECT id ' + 'FROM items';"],
    ['a pragma', "export const q = 'PRAGMA user_version';"],
    ['a statement in lower case', "export const q = 'select id from items';"],
  ])('find SQL outside the store: %s', (_name, text) => {
    expect(inCode('src/retrieve/a.ts', text)).toEqual(['1 sql']);
  });

  it('find the type any, also in a cast and in a test', () => {
    expect(
      inCode('src/core/a.ts', 'export const f = (x: any) => x;', 'export const g = (1 as any) as string;'),
    ).toEqual(['1 any', '2 any']);
    expect(inCode('src/core/a.test.ts', 'export const h: any[] = [];')).toEqual(['1 any']);
  });

  it('find process.exit outside the one place for it, and console anywhere in src', () => {
    expect(inCode('src/cli/add.ts', 'process.exit(1);')).toEqual(['1 exit']);
    expect(inCode('src/core/a.ts', "console.warn('x');")).toEqual(['1 console']);
  });

  it('find a focused test, and a skipped one without a reason beside it', () => {
    expect(
      inCode(
        'test/a.test.ts',
        "it.only('a', () => {});",
        "describe.skip('b', () => {});",
        '// Needs a second machine.',
        "it.skip('c', () => {});",
        "it.skipIf(true)('d', () => {});",
      ),
    ).toEqual(['1 only', '2 skip']);
  });

  it('find state of a module: a variable, and a collection that a function changes', () => {
    expect(
      inCode(
        'src/core/a.ts',
        'let calls = 0;',
        'const cache = new Map<string, number>();',
        'const seen: string[] = [];',
        'const table = new Map<string, number>();',
        "for (const name of ['a']) table.set(name, 1);",
        'export function remember(name: string) {',
        '  calls += 1;',
        '  cache.set(name, calls);',
        '  seen[0] = name;',
        '  return table.get(name);',
        '}',
      ).sort(),
    ).toEqual(['1 module-state', '2 module-state', '3 module-state']);
  });

  it("take a function's own collection for what it is, also under the name of a module's", () => {
    expect(
      inCode(
        'src/core/a.ts',
        'const words: string[] = [];',
        'export function split(text: string) {',
        '  const words: string[] = [];',
        '  words.push(text);',
        '  return words;',
        '}',
        'export const empty = words;',
      ),
    ).toEqual([]);
  });
});

describe('the rules for every text file', () => {
  // In two parts, so that this file keeps the rules itself.
  it.each([
    ['machine-path', `see /${'tmp'}/notes.txt`],
    ['machine-path', `'/${'work'}/main'`],
    ['registry-host', `https://registry.${'npmjs'}.org/x`],
    ['left-over', `// ${'TO'}DO: finish`],
    ['left-over', `# ${'FIX'}ME`],
    ['conflict', `${'<'.repeat(7)} HEAD`],
  ])('find: %s', (rule, line) => {
    expect(checkText('docs/page.md', `fine\n${line}\n`)).toMatchObject([
      { path: 'docs/page.md', line: 2, rule },
    ]);
  });

  it('do not take an address or a relative path for one of this machine', () => {
    const line = `https://example.org/${'tmp'}/x and a/${'work'}/b and ~/${'tmp'}/c`;
    expect(checkText('a.md', line)).toEqual([]);
  });
});

describe('the script', () => {
  it('fails with one line a finding that names file, line and rule', () => {
    const { code, stderr } = runOn({
      'src/core/a.ts': "export const a = 1;\nconsole.log('x');\n",
      'docs/page.md': `${'TO'}DO\n`,
    });
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^docs\/page\.md:1 left-over: /),
      expect.stringMatching(/^src\/core\/a\.ts:2 console: /),
    ]);
  });

  it('passes on clean files and says how many it looked at', () => {
    const result = runOn({ 'src/core/a.ts': 'export const a = 1;\n', 'README.md': '# A page\n' });
    expect(result).toEqual({ code: 0, stdout: '2 files checked, 0 findings\n', stderr: '' });
  });

  it('fails on a folder without files, so that a wrong path is not a success', () => {
    expect(runOn({}).code).toBe(1);
  });
});
