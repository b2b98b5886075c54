import { describe, expect, it } from 'vitest';
import { markdownReader } from './markdown.js';
import { textReader } from './text.js';

const MTIME = Date.UTC(2031, 6, 19);
const read = (text: string, path = 'notes/kiln log.md') =>
  markdownReader.read({ path, text, modifiedAt: MTIME + 0.5 });

describe('markdownReader', () => {
  it('takes fields from frontmatter, keeps the rest as meta and the text whole', () => {
    const text = [
      '---',
      'title: "Kiln:  log"',
      'tags: [clay, "#fire", 2031]',
      'keywords: cone six, ash glaze',
      'authors: [Lea, { name: Oz }]',
      'updated: 1636510026672',
      'created: 1616983302480',
      'pinned: true',
      'importance: 0.8',
      'aliases: [kiln diary]',
      'entities: [Raku]',
      'ratio: .inf',
      '---',
      '# Other',
    ].join('\n');
    expect(read(text)).toEqual({
      kind: 'document',
      title: 'Kiln: log',
      text,
      tags: ['clay', 'fire', '2031'],
      keywords: ['cone six', 'ash glaze'],
      author: 'Lea, Oz',
      occurredAt: 1636510026672,
      pinned: true,
      importance: 0.8,
      meta: {
        updated: 1636510026672,
        created: 1616983302480,
        aliases: ['kiln diary'],
        entities: ['Raku'],
        ratio: null,
      },
    });
  });

  it('prefers the first heading of level 1, then any heading, then the file name as title', () => {
    expect(read('## Two\n\n# One\n').title).toBe('One');
    expect(read('```\n# no\n```\n## Two\n').title).toBe('Two');
    expect(read('text').title).toBe('kiln log');
  });

  it('splits tags written as one string at commas and spaces', () => {
    expect(read('---\ntags: clay, #fire ash\n---\n').tags).toEqual(['clay']);
    expect(read('---\ntags: "clay, #fire ash"\n---\n').tags).toEqual(['clay', 'fire', 'ash']);
  });

  it('reads dates as ISO 8601 or epoch milliseconds and passes over what is none', () => {
    const at = (lines: string) => read(`---\n${lines}\n---\n`).occurredAt;
    expect(at('date: 2031-03-01')).toBe(Date.UTC(2031, 2, 1));
    expect(at('date: 2031-03-01T10:00:00+02:00')).toBe(Date.UTC(2031, 2, 1, 8));
    expect(at('date: 2031-03-01 10:00')).toBe(Date.UTC(2031, 2, 1, 10));
    expect(at('updated: soon\ncreated: 2031-03-02')).toBe(Date.UTC(2031, 2, 2));
    expect(at('date: 2031')).toBe(MTIME);
    expect(at('date: 1e300')).toBe(MTIME);
    expect(at('date: 2031-13-45')).toBe(MTIME);
  });

  it('counts broken frontmatter as none and keeps the text', () => {
    const text = '---\ntitle: a: b: c\n  - [\n---\n# Head\n';
    expect(read(text)).toEqual({ kind: 'document', title: 'Head', text, occurredAt: MTIME });
    expect(read('---\ntags:\n\t- clay\n---\n').tags).toEqual(['clay']);
  });

  it('is not blown up by YAML aliases, deep nesting or a key named __proto__', () => {
    const bomb = ['a0: &a0 [x,x,x,x,x,x,x,x,x]'];
    for (let i = 1; i < 9; i++)
      bomb.push(
        `a${i}: &a${i} [${Array(9)
          .fill(`*a${i - 1}`)
          .join(',')}]`,
      );
    expect(read(`---\n${bomb.join('\n')}\n---\n`).meta).toBeUndefined();
    expect(read(`---\na: ${'['.repeat(20_000)}\n---\n`).meta).toBeUndefined();
    expect(read('---\na: &a [*a]\n---\n').meta).toBeUndefined();
    read('---\n__proto__: { polluted: yes }\n---\n');
    expect('polluted' in {}).toBe(false);
  });

  it('gives the same fields whatever the newlines (T10)', () => {
    const text = '---\ntitle: Kiln\ntags: [clay]\ndate: 2031-03-01\n---\n\n# Head\n\n[[link]]\n';
    const { text: _, ...fields } = read(text);
    for (const newline of ['\r\n', '\r']) {
      const other = text.replaceAll('\n', newline);
      expect(read(other)).toEqual({ ...fields, text: other });
    }
  });
});

describe('textReader', () => {
  it('titles a text by its file name and dates it by its modification time', () => {
    expect(textReader.read({ path: 'a/b.c.txt', text: '# x', modifiedAt: 5.7 })).toEqual({
      kind: 'document',
      title: 'b.c',
      text: '# x',
      occurredAt: 5,
    });
  });
});
