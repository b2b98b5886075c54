import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CodeBlock, codeBlocks } from './code-blocks.js';
import { compileExamples, promisedOutput } from './compile-examples.js';
import { consoleCommands } from './console-block.js';
import { docFiles, readDoc, root } from './doc-files.js';
import { outputMismatch } from './match-output.js';
import { makeBin, runCommandLine } from './run-command.js';

/** For one block: a process a command, on a machine that may be busy. */
const TIMEOUT_MS = 180_000;

const LANGUAGES = ['ts', 'sh', 'console', 'json', 'jsonl', 'text'];

const pages = docFiles().map((path) => ({ path, blocks: codeBlocks(readDoc(path)) }));
const runs = (block: CodeBlock) => !block.words.includes('no-run');
const isShell = (block: CodeBlock) => block.language === 'sh' || block.language === 'console';
const examples = pages.flatMap(({ path, blocks }) =>
  blocks
    .filter((block) => block.language === 'ts')
    .map((block) => ({
      block,
      where: `${path}:${block.line}`,
      name: `${path.replace(/\W/g, '-')}/${block.line}.ts`,
    })),
);

let folder: string;
let bin: string;
let errors: Map<string, string[]>;

beforeAll(() => {
  if (!existsSync(join(root, 'dist/index.js'))) throw new Error('dist/ is missing: run npm run build.');
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'corvid-docs-')));
  bin = makeBin(folder);
  errors = compileExamples(folder, new Map(examples.map(({ name, block }) => [name, block.text])));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An empty folder for a page or an example, outside of which nothing is written. */
function place(name: string): { cwd: string; bin: string; home: string } {
  const cwd = join(folder, 'run', name, 'project');
  const home = join(folder, 'run', name, 'home');
  for (const path of [cwd, home]) mkdirSync(path, { recursive: true });
  return { cwd, bin, home };
}

describe('TypeScript examples', () => {
  it.each(examples)('$where has right types', ({ name }) => {
    expect(errors.get(name)).toEqual([]);
  });

  it.each(examples.filter(({ block }) => runs(block)))(
    '$where prints what it says',
    async ({ name, block }) => {
      const { code, lines } = await runCommandLine(
        `node "${join(folder, name.replace(/ts$/, 'js'))}"`,
        place(name),
      );
      expect(outputMismatch(promisedOutput(block.text), lines)).toBeNull();
      expect(code).toBe(0);
    },
  );
});

// The commands of a page are one session: what one block makes, the next one finds.
describe.each(pages.filter(({ blocks }) => blocks.some(isShell)))('commands of $path', ({ path, blocks }) => {
  it.each(blocks.filter((block) => isShell(block) && runs(block)))(
    'line $line',
    async ({ language, text }) => {
      const where = place(path.replace(/\W/g, '-'));
      const commands = language === 'sh' ? [{ command: text, output: null }] : consoleCommands(text);
      for (const { command, output } of commands) {
        const { code, lines } = await runCommandLine(command, where);
        if (output !== null) expect(outputMismatch(output, lines), command).toBeNull();
        expect({ command, code, lines }).toMatchObject({ code: 0 });
      }
    },
    TIMEOUT_MS,
  );
});

describe('code blocks', () => {
  it('say what they hold', () => {
    const unknown = pages.flatMap(({ path, blocks }) =>
      blocks.filter((b) => !LANGUAGES.includes(b.language)).map((b) => `${path}:${b.line} "${b.language}"`),
    );
    expect(unknown).toEqual([]);
  });

  it('that are data can be read', () => {
    for (const { blocks } of pages) {
      for (const { language, text } of blocks) {
        const values = language === 'json' ? [text] : language === 'jsonl' ? text.split('\n') : [];
        for (const value of values) expect(() => JSON.parse(value), value).not.toThrow();
      }
    }
  });

  it('are executed, some of each kind', () => {
    expect(examples.filter(({ block }) => runs(block)).length).toBeGreaterThan(5);
    expect(pages.flatMap(({ blocks }) => blocks.filter((b) => isShell(b) && runs(b))).length).toBeGreaterThan(
      5,
    );
  });
});
