import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Item } from '../../index.js';
import { makeOutput, type Output } from '../terminal.js';
import { renderItem, renderItemLine } from './items.js';

const item: Item = {
  id: 'kiln-log',
  kind: 'note',
  title: 'Kiln log',
  text: 'Cone 6.\r\nSlow cooling.',
  uri: null,
  source: null,
  scope: { workspace: 'default', project: 'garden', visibility: 'personal', user: 'oz', room: '' },
  state: 'active',
  importance: 0.5,
  strength: 1,
  accesses: 0,
  lastAccess: null,
  createdAt: Date.UTC(2031, 6, 19, 10, 30),
  updatedAt: Date.UTC(2031, 6, 19, 10, 30),
  occurredAt: null,
  expiresAt: null,
  archivedAt: null,
  supersededBy: null,
  supersededAt: null,
  pinned: false,
  tags: [],
  speaker: null,
  author: null,
  keywords: [],
  date: null,
  meta: {},
  chunks: 1,
};

function rendered(render: (out: Output, item: Item) => void, changed: Partial<Item> = {}): string {
  const stdout = new PassThrough();
  const out = makeOutput(
    {
      stdin: Readable.from([]),
      stdout,
      stderr: new PassThrough(),
      env: {},
      cwd: '.',
      signal: new AbortController().signal,
    },
    { quiet: false },
  );
  render(out, { ...item, ...changed });
  return String(stdout.read() ?? '');
}

describe('an item on a line', () => {
  it('shows id, kind, date, state and how it begins', () => {
    expect(rendered(renderItemLine)).toBe('kiln-log  note 2031-07-19  Kiln log Cone 6. Slow cooling.\n');
    expect(rendered(renderItemLine, { state: 'archived' })).toContain('2031-07-19 [archived]');
  });

  it('is one short line however long or broken the text is', () => {
    const line = rendered(renderItemLine, { title: null, text: 'raven\n\u001b[2J\u2028'.repeat(5000) });
    expect(line.match(/\n/g)).toHaveLength(1);
    expect(line).not.toContain('\u001b');
    expect(line.length).toBeLessThan(150);
  });
});

describe('an item in full', () => {
  it('leaves out what is at its default', () => {
    expect(rendered(renderItem)).toBe(
      'Kiln log\n' +
        'id        kiln-log\n' +
        'kind      note\n' +
        'scope     default/garden, personal (user oz)\n' +
        'created   2031-07-19T10:30:00.000Z\n' +
        '\nCone 6.\nSlow cooling.\n',
    );
  });

  it('shows what is not at its default', () => {
    const text = rendered(renderItem, {
      state: 'expired',
      pinned: true,
      tags: ['pottery', 'log'],
      speaker: 'Ines',
      accesses: 3,
      date: 'last Friday',
      meta: { cone: 6 },
    });
    for (const line of [
      'kind      note (expired), pinned',
      'tags      pottery, log',
      'speaker   Ines',
      'occurred  last Friday',
      'used      3 times',
      'meta      {"cone":6}',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
  });

  it('holds no control character of any field', () => {
    const evil = 'a\u001b[2J\u0007\u009b\u202e';
    const text = rendered(renderItem, {
      id: evil,
      title: evil,
      text: evil,
      uri: evil,
      source: evil,
      tags: [evil],
      speaker: evil,
      author: evil,
      date: evil,
      meta: { [evil]: evil },
      scope: { workspace: evil, project: evil, visibility: 'room', user: '', room: evil },
    });
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});
