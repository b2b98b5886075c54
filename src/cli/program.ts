import { Command, CommanderError } from 'commander';
import { CliError } from './cli-error.js';
import type { Verb } from './command.js';
import { verbs } from './commands/index.js';
import { addGlobalFlags } from './flags.js';
import { type GlobalFlags, makeSession } from './session.js';
import { printableLine, type Terminal } from './terminal.js';
import { version } from './version.js';

/** Runs one command line (without node and script) and returns the exit code. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  let code = 0;
  const program = buildProgram(terminal, (result) => {
    code = result;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    return report(error, args.includes('--verbose'), terminal);
  }
}

function buildProgram(terminal: Terminal, done: (code: number) => void): Command {
  const program = new Command('corvid')
    .description('Hybrid retrieval and memory for agents, in one SQLite file')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text.replace(/^error: /, 'corvid: ')),
    })
    .addHelpText(
      'after',
      '\nExample: corvid add "Oz prefers dark mode" && corvid search "which theme does Oz like?"',
    );
  for (const verb of verbs) program.addCommand(buildVerb(verb, program, terminal, done));
  return program;
}

function buildVerb(verb: Verb, program: Command, terminal: Terminal, done: (code: number) => void): Command {
  const command = new Command(verb.name)
    .copyInheritedSettings(program)
    .summary(verb.summary)
    .description(verb.summary);
  if (verb.arguments) command.arguments(verb.arguments);
  addGlobalFlags(verb.flags ? verb.flags(command) : command);
  command.addHelpText('after', `\nExamples:\n${verb.examples.map((line) => `  ${line}`).join('\n')}`);
  command.action(async (...received: unknown[]) => {
    const flags = command.opts();
    const session = makeSession(flags as GlobalFlags, terminal);
    await verb.run(
      session,
      received
        .slice(0, -2)
        .flat()
        .filter((arg) => arg !== undefined) as string[],
      flags,
    );
    session.out.endProgress();
    done(session.exitCode());
  });
  return command;
}

/** One line that says what was wrong, one with the remedy; the stack only when asked for. */
function report(error: unknown, verbose: boolean, terminal: Terminal): number {
  if (error instanceof CommanderError) {
    // Help and version end this way too, with code 0; commander has printed its line.
    return error.exitCode === 0 ? 0 : 2;
  }
  if (terminal.signal.aborted) {
    terminal.stderr.write('corvid: interrupted\n');
    return 130;
  }
  const { message, hint, exitCode } = describe(error);
  terminal.stderr.write(`corvid: ${printableLine(message)}\n`);
  if (hint !== '') terminal.stderr.write(`  ${printableLine(hint)}\n`);
  if (verbose && error instanceof Error) terminal.stderr.write(`${error.stack}\n`);
  return exitCode;
}

/** CorvidErrors are told by their name, so that the library need not be loaded to fail. */
function describe(error: unknown): { message: string; hint: string; exitCode: number } {
  if (error instanceof CliError) return error;
  if (error instanceof Error) {
    const { hint, exitCode } = error as { hint?: unknown; exitCode?: unknown };
    return {
      message: error.message,
      hint: typeof hint === 'string' ? hint : '',
      exitCode: typeof exitCode === 'number' ? exitCode : 1,
    };
  }
  return { message: String(error), hint: '', exitCode: 1 };
}
