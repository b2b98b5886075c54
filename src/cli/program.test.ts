import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verbs } from './commands/index.js';
import { runCommand } from './program.js';

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'corvid-program-')));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

async function run(args: string[], o: { signal?: AbortSignal; stdin?: Readable } = {}) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const code = await runCommand(args, {
    stdin: o.stdin ?? Readable.from([]),
    stdout,
    stderr,
    env: { HOME: cwd, XDG_DATA_HOME: join(cwd, 'data'), XDG_CONFIG_HOME: join(cwd, 'config') },
    cwd,
    signal: o.signal ?? new AbortController().signal,
  });
  return { code, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
}

describe('the verbs', () => {
  it('are all there, each once', () => {
    expect(verbs.map(({ name }) => name).sort()).toEqual(
      'add archive config doctor drain embed eval forget get ingest init list reembed remove restore search status update watch'.split(
        ' ',
      ),
    );
  });

  it.each(verbs.map((verb) => [verb.name, verb] as const))(
    '%s has help with its examples',
    async (name, verb) => {
      const { code, stdout, stderr } = await run([name, '--help']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(verb.examples.length).toBeGreaterThan(0);
      for (const example of verb.examples) {
        expect(stdout).toContain(example);
        expect(example).toMatch(new RegExp(`\\bcorvid ${name}\\b`));
      }
    },
  );

  it.each(verbs.map(({ name }) => [name]))('%s takes the flags of every command', async (name) => {
    const { stdout } = await run([name, '--help']);
    for (const flag of [
      '--db',
      '--workspace',
      '--project',
      '--user',
      '--room',
      '--json',
      '--quiet',
      '--verbose',
    ]) {
      expect(stdout).toContain(flag);
    }
  });
});

describe('a mistake', () => {
  it.each([
    ['a misspelt verb', ['serch', 'x'], "corvid: unknown command 'serch'\n  Did you mean search?\n"],
    ['a misspelt flag', ['list', '--jsn'], "corvid: unknown option '--jsn'\n  Did you mean --json?\n"],
    ['a missing argument', ['get'], "corvid: missing required argument 'id'\n  See corvid get --help.\n"],
  ])('of %s is one line and a remedy, code 2', async (_, args, stderr) => {
    expect(await run(args)).toEqual({ code: 2, stdout: '', stderr });
  });

  it('that holds control characters is shown with visible signs', async () => {
    const { stderr } = await run(['se\u001b[2Jrch']);
    expect(stderr).toContain('se\\u001b[2Jrch');
    expect(stderr).not.toContain('\u001b');
  });

  it('shows the stack with --verbose only', async () => {
    expect((await run(['status'])).stderr).not.toContain('    at ');
    expect((await run(['status', '--verbose'])).stderr).toContain('    at ');
  });
});

describe('an interruption', () => {
  it('while standard input is read ends with 130, without a stack', async () => {
    const controller = new AbortController();
    const running = run(['add', '-'], { signal: controller.signal, stdin: new PassThrough() });
    setTimeout(() => controller.abort(new Error('interrupted')), 50);
    expect(await running).toEqual({ code: 130, stdout: '', stderr: 'corvid: interrupted\n' });
  });
});
