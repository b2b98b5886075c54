import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CorvidError } from '../../errors.js';
import { chunkText } from './chunk-text.js';
import { frontmatterEnd } from './frontmatter-end.js';
import { scanMarkdown } from './scan-markdown.js';

const texts = (text: string, o: Parameters<typeof chunkText>[1] = { format: 'markdown' }) =>
  chunkText(text, o).map(({ start, end }) => text.slice(start, end));
const sentence = 'The kiln is fired to cone six and cools for a day. ';

describe('chunkText of markdown', () => {
  it('opens a chunk at a heading and names the headings it stands under, its own last', () => {
    const text = `# Kiln\n\n${sentence.repeat(10)}\n\n## Firing *fast*\n\n${sentence.repeat(10)}\n\n# Glaze\n\n${sentence.repeat(10)}`;
    const chunks = chunkText(text, { format: 'markdown' });
    expect(chunks.map(({ headingPath }) => headingPath)).toEqual([
      ['Kiln'],
      ['Kiln', 'Firing fast'],
      ['Glaze'],
    ]);
    expect(chunks.map(({ start }) => text.slice(start).split('\n')[0])).toEqual([
      '# Kiln',
      '## Firing *fast*',
      '# Glaze',
    ]);
    expect(chunks.map(({ ordinal }) => ordinal)).toEqual([0, 1, 2]);
  });

  it('keeps a small section together with its next sibling, under the headings of the first', () => {
    const chunks = chunkText('# A\n\nshort\n\n# B\n\nalso short\n', { format: 'markdown' });
    expect(chunks).toEqual([{ ordinal: 0, start: 0, end: 27, headingPath: ['A'] }]);
  });

  it('does not join a small section with one further out', () => {
    const text = `# A\n\n${sentence.repeat(8)}\n\n## A1\n\nshort\n\n# B\n\nalso short`;
    expect(chunkText(text, { format: 'markdown' }).map(({ headingPath }) => headingPath)).toEqual([
      ['A'],
      ['A', 'A1'],
      ['B'],
    ]);
  });

  it('lets a heading without a text lead into its first subsection', () => {
    const text = `# Manual\n\n## Safety\n\n${sentence.repeat(60)}`;
    const chunks = chunkText(text, { format: 'markdown' });
    expect(text.slice(chunks[0]?.start, chunks[0]?.end)).toMatch(/^# Manual\n\n## Safety\n\nThe kiln/);
    expect(chunks.map(({ headingPath }) => headingPath)).toEqual(chunks.map(() => ['Manual', 'Safety']));
  });

  it('leaves frontmatter out, and gives nothing for a text that is only frontmatter', () => {
    expect(texts('---\ntitle: Kiln\n---\n\nWarm.\n')).toEqual(['Warm.']);
    expect(texts('---\r\ntitle: Kiln\r\n---\r\nWarm.')).toEqual(['Warm.']);
    expect(texts('---\ntitle: Kiln\n---\n')).toEqual([]);
    expect(texts(' \n\t\n')).toEqual([]);
    expect(texts('')).toEqual([]);
  });

  it('keeps prose between two thematic breaks', () => {
    expect(texts('---\nNo metadata here\n---\n\nrest')).toEqual(['---\nNo metadata here\n---\n\nrest']);
  });

  it('cuts a long list between its items and a long table between its rows', () => {
    const list = Array.from(
      { length: 80 },
      (_, i) => `- item ${i}: ${sentence.trim()}\n  and its second line`,
    );
    for (const chunk of texts(list.join('\n'))) expect(chunk).toMatch(/^- item[\s\S]*second line$/);
    const row = `| ${'cell '.repeat(20)}| ${'cell '.repeat(20)}|`;
    for (const chunk of texts(`| a | b |\n| --- | --- |\n${`${row}\n`.repeat(40)}`)) {
      expect(chunk).toMatch(/^\|[\s\S]*\|$/);
    }
  });

  it('cuts no fence that fits, also in a long list', () => {
    const code = `  \`\`\`js\n${'  run();\n\n'.repeat(60)}  \`\`\``;
    const text = Array.from({ length: 5 }, (_, i) => `- step ${i}\n\n${code}\n`).join('\n');
    const chunks = texts(text);
    expect(chunks.length).toBeGreaterThan(1);
    for (const chunk of chunks) expect(chunk.match(/```/g)?.length).toSatisfy((n: number) => n % 2 === 0);
  });

  it('refuses lengths that cannot be used', () => {
    expect(() => chunkText('a', { format: 'plain', maxChars: 1 })).toThrow(CorvidError);
    expect(() => chunkText('a', { format: 'plain', targetChars: Number.NaN })).toThrow(CorvidError);
  });
});

describe('chunkText of plain text', () => {
  it('takes no line for a heading and no block for frontmatter', () => {
    const text = '---\na: b\n---\n# not a heading';
    expect(chunkText(text, { format: 'plain' })).toEqual([
      { ordinal: 0, start: 0, end: text.length, headingPath: [] },
    ]);
  });

  it('packs paragraphs and cuts a long one at the end of a sentence', () => {
    const chunks = texts(`${sentence.repeat(120)}\n\nLast one.`, { format: 'plain' });
    expect(chunks.length).toBeGreaterThan(2);
    for (const chunk of chunks) expect(chunk).toMatch(/^(?:The|Last)[\s\S]*\.$/);
  });

  it('splits no emoji sequence where there is no space to cut at', () => {
    const family = '👩‍👩‍👧‍👦';
    const chunks = texts(family.repeat(40), { format: 'plain', targetChars: 50, maxChars: 60 });
    for (const chunk of chunks) expect(chunk.replaceAll(family, '')).toBe('');
  });

  it('takes a line of 2 million characters, and as many lines, in bounded time', () => {
    const start = performance.now();
    expect(chunkText('x'.repeat(2_000_000), { format: 'plain' })).toHaveLength(1666);
    expect(chunkText('- x\n'.repeat(500_000), { format: 'markdown' }).length).toBeGreaterThan(900);
    expect(chunkText(`${'- '.repeat(1_000_000)}x`, { format: 'markdown' }).length).toBeGreaterThan(900);
    // Generous: what is quadratic would take many minutes.
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});

describe('every chunk', () => {
  const limits = fc
    .tuple(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 2, max: 300 }))
    .map(([targetChars, maxChars]) => ({ targetChars, maxChars }));

  it('is in order, within its limit, without blank ends, and together they hold all that is not blank', () => {
    fc.assert(
      fc.property(
        anyText(),
        limits,
        fc.constantFrom('markdown' as const, 'plain' as const, 'code' as const),
        (text, lengths, format) => {
          const chunks = chunkText(text, { format, ...lengths });
          const from = format === 'markdown' ? frontmatterEnd(text) : 0;
          let at = from;
          let gaps = '';
          chunks.forEach(({ ordinal, start, end }, i) => {
            expect(ordinal).toBe(i);
            expect(start).toBeGreaterThanOrEqual(at);
            expect(end).toBeGreaterThan(start);
            expect(end - start).toBeLessThanOrEqual(lengths.maxChars);
            const chunk = text.slice(start, end);
            expect(chunk.trim()).toBe(chunk);
            expect(chunk.isWellFormed()).toBe(true);
            gaps += text.slice(at, start);
            at = end;
          });
          expect((gaps + text.slice(at)).trim()).toBe('');
          expect(chunkText(text, { format, ...lengths })).toEqual(chunks);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('holds whole fences, where they fit', () => {
    fc.assert(
      fc.property(anyText(), limits, (text, lengths) => {
        const { fences, lines } = scanMarkdown(text, frontmatterEnd(text));
        const chunks = chunkText(text, { format: 'markdown', ...lengths });
        for (const fence of fences) {
          const whole = text.slice(lines.starts[fence.line], lines.ends[fence.lastLine]);
          const start = (lines.starts[fence.line] ?? 0) + whole.length - whole.trimStart().length;
          const end = start + whole.trim().length;
          if (end - start > lengths.maxChars) continue;
          expect(chunks.some((chunk) => chunk.start <= start && chunk.end >= end)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

function anyText(): fc.Arbitrary<string> {
  const piece = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom('kiln', 'glaze. ', 'Cone six!', '灰釉。', '👩‍🚀', 'é', '\u00a0'),
    },
    { weight: 3, arbitrary: fc.constantFrom('\n', '\n\n', '\r\n', '\r', ' ', '\t', '    ') },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        ...['\n# H\n', '\n## H2\n\n', '\n```\n', '\n~~~~\n', '\n- ', '\n  ', '\n1. '],
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('\n> ', '\n---\n', '\n| a | b |\n| - | - |\n', '<!--', '-->', '\n<div>\n'),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '\nfunction f() {\n',
        '\n  def g(self):\n',
        '\n@wrap(\n',
        '/*',
        '*/',
        '\n}\n',
      ),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
    { weight: 1, arbitrary: fc.integer({ min: 20, max: 400 }).map((n) => 'x'.repeat(n)) },
  );
  return fc
    .tuple(
      fc.constantFrom('', '', '---\ntitle: T\n---\n', '---\r\na: 1\r\n---\r\n'),
      fc.array(piece, { maxLength: 60 }),
    )
    .map(([front, pieces]) => front + pieces.join(''));
}
