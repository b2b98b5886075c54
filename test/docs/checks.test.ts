import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { codeBlocks, prose } from './code-blocks.js';
import { compileExamples, promisedOutput } from './compile-examples.js';
import { consoleCommands } from './console-block.js';
import { outputMismatch } from './match-output.js';
import { makeBin, runCommandLine } from './run-command.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function temporary(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'corvid-docs-')));
  folders.push(folder);
  return folder;
}

describe('the checks of the documentation', () => {
  it('find every fenced block, and refuse one that is never closed', () => {
    const page = 'a\n```ts no-run\nlet x;\n```\nb\n````text\n```\n````\n';
    expect(codeBlocks(page)).toEqual([
      { language: 'ts', words: ['no-run'], text: 'let x;', line: 2 },
      { language: 'text', words: [], text: '```', line: 6 },
    ]);
    expect(prose(page).replaceAll('\n', '')).toBe('ab');
    expect(() => codeBlocks('```ts\nlet x;')).toThrow('line 1');
  });

  it('see a line that differs, is missing, or is too much', () => {
    expect(outputMismatch(['a', 'b (…)'], ['a', 'b (0.12 s)'])).toBeNull();
    expect(outputMismatch(['a', '…', 'd'], ['a', 'b', 'c', 'd'])).toBeNull();
    expect(outputMismatch([], [])).toBeNull();
    expect(outputMismatch(['a.b'], ['axb'])).not.toBeNull();
    expect(outputMismatch(['a', 'b'], ['a'])).not.toBeNull();
    expect(outputMismatch(['a'], ['a', 'b'])).not.toBeNull();
    expect(outputMismatch(['a … c'], ['a', 'c'])).not.toBeNull();
    expect(outputMismatch(['a', '…', 'd'], ['a', 'b'])).not.toBeNull();
    expect(outputMismatch([], ['a'])).not.toBeNull();
  });

  it('take commands and output of a block apart', () => {
    expect(consoleCommands('$ one \\\n>   more\nout\n$ two')).toEqual([
      { command: 'one \\\n  more', output: ['out'] },
      { command: 'two', output: [] },
    ]);
    expect(() => consoleCommands('out')).toThrow('before the first command');
  });

  it('read what an example promises', () => {
    expect(promisedOutput('log(1); // → 1\n// a comment\n// → two words')).toEqual(['1', 'two words']);
  });

  it('see an example that does not compile, and one that fails when it runs', async () => {
    const folder = temporary();
    const errors = compileExamples(
      folder,
      new Map([
        [
          'good.ts',
          "import { open } from 'corvid';\nawait using memory = await open(':memory:');\nconsole.log((await memory.status()).items.total);",
        ],
        ['bad.ts', "import { open } from 'corvid';\nawait open({ pth: 'x' });"],
        ['throws.ts', "import { open } from 'corvid';\nawait open({ path: '' });"],
      ]),
    );
    expect(errors.get('good.ts')).toEqual([]);
    expect(errors.get('bad.ts')?.[0]).toContain("'pth' does not exist");
    const where = { cwd: folder, bin: makeBin(folder), home: folder };
    expect(await runCommandLine('node good.js', where)).toEqual({ code: 0, lines: ['0'] });
    expect(await runCommandLine('node throws.js', where)).toMatchObject({ code: 1 });
  });

  it('see a command that fails, in an environment without settings', async () => {
    const folder = temporary();
    const where = { cwd: folder, bin: makeBin(folder), home: folder };
    expect(await runCommandLine('corvid no-such-verb', where)).toMatchObject({ code: 2 });
    const { lines } = await runCommandLine('env', where);
    expect(lines.filter((line) => line.startsWith('CORVID_'))).toEqual([]);
  });
});
