import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Explanation, Hit, SearchResult } from '../../index.js';
import { makeOutput } from '../terminal.js';
import { renderHits } from './hits.js';

const hit: Hit = {
  id: 'kiln-log',
  kind: 'note',
  title: 'Kiln log',
  uri: 'notes/kiln.md',
  text: 'The kiln is hot.',
  chunk: { ordinal: 0, start: 0, end: 16, headingPath: ['Firing', 'Cone 6'] },
  snippet: {
    text: 'The kiln is hot.',
    highlights: [
      [4, 8],
      [12, 15],
    ],
  },
  score: 0.756,
  createdAt: Date.UTC(2031, 6, 19),
  occurredAt: null,
  scope: { workspace: 'default', project: 'default', visibility: 'global', user: '', room: '' },
};

const explanation: Explanation = {
  streams: {
    lexical: { rank: 1, raw: 4.21, contribution: 1 / 61 },
    exact: null,
    vector: null,
    entity: null,
    graph: null,
  },
  fusion: { name: 'rrf', k: 60 },
  fused: 1 / 61,
  prior: { factor: 1.1, parts: [] },
  rerank: null,
  final: 1.1 / 61,
  matched: { terms: ['kiln', 'hot'], entities: [], path: [] },
};

function rendered(result: Partial<SearchResult>, tty = false): { stdout: string; stderr: string } {
  const stdout = Object.assign(new PassThrough(), { isTTY: tty });
  const stderr = new PassThrough();
  const out = makeOutput(
    { stdin: Readable.from([]), stdout, stderr, env: {}, cwd: '.', signal: new AbortController().signal },
    { quiet: false },
  );
  renderHits(out, { hits: [], linked: [], degraded: [], timings: { totalMs: 1, streams: {} }, ...result });
  return { stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
}

describe('hits for a person', () => {
  it('show rank, title, score, kind, date, uri, headings, id and the snippet', () => {
    expect(rendered({ hits: [hit, { ...hit, id: 'b', title: null, uri: null }] }).stdout).toBe(
      ' 1. Kiln log  0.76 · note · 2031-07-19 · notes/kiln.md · Firing > Cone 6 · kiln-log\n' +
        '    The kiln is hot.\n' +
        ' 2. b  0.76 · note · 2031-07-19 · Firing > Cone 6 · b\n' +
        '    The kiln is hot.\n',
    );
  });

  it('show the date on which the thing happened where it is known', () => {
    expect(rendered({ hits: [{ ...hit, occurredAt: Date.UTC(2030, 0, 2) }] }).stdout).toContain('2030-01-02');
  });

  it('mark what matched on a terminal, and only there', () => {
    expect(rendered({ hits: [hit] }, true).stdout).toContain(
      'The \u001b[1mkiln\u001b[0m is \u001b[1mhot\u001b[0m.',
    );
    expect(rendered({ hits: [hit] }).stdout).not.toContain('\u001b');
  });

  it('mark the right characters where control characters before them are shown as longer signs', () => {
    const text = '\u001b\u001b kiln';
    const evil = { ...hit, snippet: { text, highlights: [[3, 7]] as [number, number][] } };
    expect(rendered({ hits: [evil] }, true).stdout).toContain('\\u001b\\u001b \u001b[1mkiln\u001b[0m');
  });

  it('explain each stream, the fusion, the prior and what matched', () => {
    const { stdout } = rendered({ hits: [{ ...hit, explanation }] });
    expect(stdout).toContain('    lexical #1 (4.21 → 0.0164) · exact – · vector – · entity – · graph –\n');
    expect(stdout).toContain('    rrf 0.0164 × prior 1.10 = 0.0180 · matched: kiln, hot\n');
  });

  it('hold no control character of a title, a path, a heading or a term', () => {
    const evil = 'a\u001b]0;x\u0007\u009b\u202e\r\nb';
    const { stdout } = rendered({
      hits: [
        {
          ...hit,
          id: evil,
          title: evil,
          uri: evil,
          chunk: { ...hit.chunk, headingPath: [evil] },
          explanation: { ...explanation, matched: { terms: [evil], entities: [], path: [] } },
        },
      ],
    });
    expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(stdout.trimEnd().split('\n')).toHaveLength(4);
  });
});

describe('no hits', () => {
  it('are told on stderr, and nothing is on stdout', () => {
    expect(rendered({})).toEqual({ stdout: '', stderr: 'Nothing found.\n' });
  });

  it('are left to the degraded line where there is one', () => {
    expect(rendered({ degraded: [{ stream: 'lexical', reason: 'no-terms' }] })).toEqual({
      stdout: '',
      stderr: '',
    });
  });
});
