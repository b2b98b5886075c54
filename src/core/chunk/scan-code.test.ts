import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkText } from './chunk-text.js';
import { codeLanguage } from './code-language.js';
import { formatOf } from './format-of.js';

const cut = (text: string, language?: string, o: { targetChars?: number; maxChars?: number } = {}) =>
  chunkText(text, { format: 'code', language, targetChars: 1, ...o }).map(({ start, end, headingPath }) => ({
    text: text.slice(start, end),
    headingPath,
  }));
const labels = (text: string, language?: string) => cut(text, language).map(({ headingPath }) => headingPath);

describe('chunkText of code', () => {
  it('begins a passage at each outermost definition and names it', () => {
    const text =
      'import { x } from "y";\n\nexport function flushTileCache(a) {\n  return a;\n}\n\nexport class Kiln {\n  heat() {\n  }\n}\nconst CONE = 6;\n';
    expect(labels(text, 'typescript')).toEqual([
      [],
      ['function flushTileCache'],
      ['class Kiln'],
      ['const CONE'],
    ]);
  });

  it('keeps comments, decorators and attributes with what follows them', () => {
    const python =
      'import os\n\n# Heats it.\n@retry(\n    times=3,\n)\n@log\ndef heat(kiln):\n    pass\n\n\ndef cool():\n    pass\n';
    expect(cut(python, 'python').map(({ text }) => text.split('\n')[0])).toEqual([
      'import os',
      '# Heats it.',
      'def cool():',
    ]);
    const rust =
      'use a;\n\n/// A kiln.\n#[derive(Debug)]\npub struct Kiln;\n/* all\n\n   of it */\nimpl Heat for Kiln {\n    fn heat(&self) {}\n}\n';
    expect(cut(rust, 'rust').map(({ text, headingPath }) => [text.split('\n')[0], headingPath])).toEqual([
      ['use a;', []],
      ['/// A kiln.', ['struct Kiln']],
      ['/* all', ['impl Heat for Kiln']],
    ]);
  });

  it('packs small definitions up to the target, under the name of the first', () => {
    const text = Array.from({ length: 10 }, (_, i) => `def f${i}():\n    return ${i}\n`).join('\n');
    expect(labels(text, 'python')).toHaveLength(10);
    expect(cut(text, 'python', { targetChars: 60 }).map(({ headingPath }) => headingPath)).toEqual(
      [0, 2, 4, 6, 8].map((i) => [`def f${i}`]),
    );
  });

  it('cuts a long class between its methods and names class and method', () => {
    const method = (name: string) => `    def ${name}(self):\n${'        self.work()\n'.repeat(20)}`;
    const text = `class Kiln:\n    """A kiln."""\n\n${method('heat')}\n${method('cool')}\n${method('vent')}`;
    const chunks = cut(text, 'python', { targetChars: 500, maxChars: 600 });
    expect(chunks.map(({ headingPath }) => headingPath)).toEqual([
      ['class Kiln'],
      ['class Kiln', 'def cool'],
      ['class Kiln', 'def vent'],
    ]);
    expect(chunks.map(({ text }) => text.split('\n')[0])).toEqual([
      'class Kiln:',
      'def cool(self):',
      'def vent(self):',
    ]);
  });

  it.each([
    ['go', 'func (k *Kiln) Heat() error {', 'func Heat'],
    ['java', 'public final class Kiln extends Oven {', 'class Kiln'],
    ['kotlin', 'data class Kiln(val cone: Int)', 'class Kiln'],
    ['kotlin', 'suspend fun heat(kiln: Kiln) {', 'fun heat'],
    ['c', 'static int heat_kiln(struct kiln *k)', 'heat_kiln'],
    ['cpp', 'template <typename T> class Kiln {', 'class Kiln'],
    ['csharp', 'public record Kiln(int Cone);', 'record Kiln'],
    ['ruby', 'module Pottery', 'module Pottery'],
    ['php', 'final class Kiln', 'class Kiln'],
    ['swift', 'public func heat() {', 'func heat'],
    ['scala', 'case class Kiln(cone: Int)', 'class Kiln'],
    ['shell', 'heat_kiln() {', 'heat_kiln'],
    ['sql', 'CREATE TABLE IF NOT EXISTS kilns (', 'CREATE TABLE kilns'],
    ['lua', 'local function heat(kiln)', 'function heat'],
    ['r', 'heat.kiln <- function(x) {', 'heat.kiln'],
    ['julia', 'function heat!(kiln)', 'function heat!'],
    ['elixir', 'defmodule Pottery.Kiln do', 'defmodule Pottery.Kiln'],
    ['erlang', 'heat(Kiln) ->', 'heat'],
    ['haskell', 'heatKiln :: Kiln -> Kiln', 'heatKiln'],
    ['ocaml', 'let rec heat kiln =', 'let rec heat'],
    ['css', '.kiln > .shelf {', '.kiln > .shelf'],
    ['yaml', 'kiln:', 'kiln'],
    ['toml', '[kiln.shelf]', 'kiln.shelf'],
    ['ini', '[kiln]', 'kiln'],
    ['json', '  "kiln": {', 'kiln'],
    ['proto', 'message Kiln {', 'message Kiln'],
    ['graphql', 'type Kiln implements Oven {', 'type Kiln'],
    ['make', 'kiln: clay', 'kiln'],
    ['dockerfile', 'FROM node:20 AS build', 'FROM node:20 AS build'],
    ['javascript', 'export const heat = async (kiln) => {', 'const heat'],
    ['unheard-of', 'function heat() {', 'function heat'],
  ])('knows a definition in %s: %s', (language, line, label) => {
    expect(labels(`${line}\n`, language)).toEqual([[label]]);
  });

  it('takes no statement for a definition', () => {
    for (const language of ['javascript', 'java', 'c', 'go', 'rust', 'python']) {
      const text = '    if (ready) {\n    return heat(kiln);\n    while (true) {\n    } else if (cold) {\n';
      expect(labels(text, language), language).toEqual([[]]);
    }
  });

  it('cuts inside no line that fits', () => {
    const line = fc.oneof(
      fc.constantFrom(
        'def f():',
        'class A:',
        '    x = 1. And more',
        '',
        '# note',
        '@deco',
        '/* a',
        'b */',
        '}',
      ),
      fc.string({ maxLength: 60 }).map((text) => text.replace(/[\r\n]/g, ' ')),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), fc.integer({ min: 1, max: 300 }), (lines, target) => {
        const text = lines.join('\n');
        const o = { format: 'code', language: 'python', targetChars: target, maxChars: 100 } as const;
        for (const { start, end } of chunkText(text, o)) {
          expect(text.slice(text.lastIndexOf('\n', start - 1) + 1, start).trim()).toBe('');
          const next = text.indexOf('\n', end);
          expect(text.slice(end, next === -1 ? text.length : next).trim()).toBe('');
        }
      }),
      { numRuns: 300 },
    );
  });

  it('takes minified and endless code in bounded time', () => {
    const start = performance.now();
    chunkText('function f(a,b){return a(b)};'.repeat(60_000), { format: 'code', language: 'javascript' });
    chunkText('def f(): pass\n'.repeat(150_000), { format: 'code', language: 'python' });
    chunkText('@a(\n'.repeat(300_000), { format: 'code', language: 'python' });
    chunkText('/*\n'.repeat(300_000), { format: 'code', language: 'c' });
    chunkText(`${'a '.repeat(90)}(\n`.repeat(5_000), { format: 'code', language: 'java' });
    // Generous: what is quadratic would take many minutes.
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});

describe('the format of an item', () => {
  it('follows the file, for authored texts only', () => {
    expect(formatOf('document', 'src/a.TS')).toEqual({ format: 'code', language: 'typescript' });
    expect(formatOf('document', 'deploy/Dockerfile')).toEqual({ format: 'code', language: 'dockerfile' });
    expect(formatOf('document', 'a.md')).toEqual({ format: 'markdown' });
    expect(formatOf('document', 'a.log')).toEqual({ format: 'plain' });
    expect(formatOf('message', 'a.py')).toEqual({ format: 'plain' });
    expect(formatOf('document', 'https://example.org/index.php')).toEqual({ format: 'markdown' });
    expect(formatOf('document', 'items.jsonl#main.py')).toEqual({ format: 'markdown' });
    expect(formatOf('document', null)).toEqual({ format: 'markdown' });
  });

  it('knows no language for hidden files and names without one', () => {
    expect(codeLanguage('.py')).toBeNull();
    expect(codeLanguage('constructor')).toBeNull();
    expect(codeLanguage('a.constructor')).toBeNull();
  });
});
