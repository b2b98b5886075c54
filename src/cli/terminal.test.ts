import { Readable, Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeOutput, printable, printableJson, printableLine, readAll, type Terminal } from './terminal.js';

const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\u001b', '\u0007', '\r', '\n', '\t', '\u009b', '\u202e', '\u2066', 'é', '𐍈'),
    fc.string({ unit: 'binary', maxLength: 1 }),
  ),
});

/** A terminal that keeps what is written. */
function fakeTerminal(o: { isTTY?: boolean; env?: NodeJS.ProcessEnv; stdin?: Readable } = {}) {
  const written = { stdout: '', stderr: '' };
  const sink = (name: 'stdout' | 'stderr') =>
    Object.assign(
      new Writable({
        decodeStrings: false,
        write(text: string, _, done) {
          written[name] += text;
          done();
        },
      }),
      { isTTY: o.isTTY ?? false },
    );
  const interrupt = new AbortController();
  const terminal: Terminal = {
    stdin: o.stdin ?? Readable.from([]),
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    env: o.env ?? {},
    cwd: '/',
    signal: interrupt.signal,
  };
  return { terminal, written, interrupt };
}

describe('printable', () => {
  it('leaves no character that a terminal obeys, whatever the text', () => {
    fc.assert(fc.property(anyText, (text) => !HARMFUL.test(printable(text))));
  });

  it('keeps lines and tabs, and shows the rest as escapes', () => {
    expect(printable('a\tb\nc\u001b[2J\u202e')).toBe('a\tb\nc\\u001b[2J\\u202e');
  });

  it('fits on one line as printableLine', () => {
    fc.assert(fc.property(anyText, (text) => !/[\n\r\u2028\u2029]/.test(printableLine(text))));
    expect(printableLine('  two\r\n\tlines ')).toBe('two lines');
  });
});

describe('printableJson', () => {
  it('means the same value and leaves no character that a terminal obeys', () => {
    fc.assert(
      fc.property(fc.dictionary(anyText, anyText), (value) => {
        const text = printableJson(value);
        expect(text).not.toMatch(HARMFUL);
        expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(value));
      }),
    );
  });
});

describe('an output', () => {
  it('writes data to stdout and notes to stderr', () => {
    const { terminal, written } = fakeTerminal();
    const out = makeOutput(terminal, { quiet: false });
    out.line('data');
    out.json({ a: 1 }, { oneLine: true });
    out.json([1]);
    out.note('note');
    out.warn('warning');
    expect(written).toEqual({ stdout: 'data\n{"a":1}\n[\n  1\n]\n', stderr: 'note\nwarning\n' });
  });

  it('keeps warnings and drops notes and progress when quiet', () => {
    const { terminal, written } = fakeTerminal({ isTTY: true });
    const out = makeOutput(terminal, { quiet: true });
    out.note('note');
    out.progress('1/2');
    out.warn('warning');
    expect(written.stderr).toBe('warning\n');
  });

  it('shows progress on a terminal only, and clears it before the next message', () => {
    const pipe = fakeTerminal();
    makeOutput(pipe.terminal, { quiet: false }).progress('1/2');
    expect(pipe.written.stderr).toBe('');
    const tty = fakeTerminal({ isTTY: true });
    const out = makeOutput(tty.terminal, { quiet: false });
    out.progress('1/2');
    out.progress('2/2');
    out.note('done');
    out.endProgress();
    expect(tty.written.stderr).toBe('\r\u001b[K1/2\r\u001b[K2/2\r\u001b[Kdone\n');
  });

  it('cuts a progress line that would not fit, since a wrapped line cannot be cleared', () => {
    const { terminal, written } = fakeTerminal({ isTTY: true });
    terminal.stderr.columns = 10;
    makeOutput(terminal, { quiet: false }).progress('read: 120/1012 files');
    expect(written.stderr).toBe('\r\u001b[Kread: 120');
  });

  it('has colours on a terminal, unless NO_COLOR is set', () => {
    const bold = (o: Parameters<typeof fakeTerminal>[0]) =>
      makeOutput(fakeTerminal(o).terminal, { quiet: false }).bold('x');
    expect(bold({ isTTY: true })).toBe('\u001b[1mx\u001b[0m');
    expect(bold({ isTTY: true, env: { NO_COLOR: '1' } })).toBe('x');
    expect(bold({ isTTY: false })).toBe('x');
  });
});

describe('readAll', () => {
  it('joins bytes before it decodes them', async () => {
    const bytes = Buffer.from('grüße');
    const { terminal } = fakeTerminal({ stdin: Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]) });
    expect(await readAll(terminal)).toBe('grüße');
  });

  it('ends when the user interrupts', async () => {
    const { terminal, interrupt } = fakeTerminal({ stdin: new Readable({ read() {} }) });
    const reading = readAll(terminal);
    interrupt.abort();
    await expect(reading).rejects.toThrow(/abort/i);
  });
});
