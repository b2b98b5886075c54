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
    // Asking for nothing is asking what there is: help on stdout, code 0.
    await program.parseAsync(args.length === 0 ? ['--help'] : [...args], { from: 'user' });
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
    // Flags before the verb are the program's, flags after it the verb's: `corvid --db x search y` works too.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
      outputError: (text, write) => write(usageError(text, 'corvid --help')),
    })
    .addHelpText(
      'after',
      '\nExample: corvid add "Oz prefers dark mode" && corvid search "which theme does Oz like?"',
    );
  addGlobalFlags(program);
  for (const verb of verbs) program.addCommand(buildVerb(verb, program, terminal, done));
  return program;
}

function buildVerb(verb: Verb, program: Command, terminal: Terminal, done: (code: number) => void): Command {
  const command = new Command(verb.name)
    .copyInheritedSettings(program)
    .summary(verb.summary)
    .description(verb.summary)
    .configureOutput({
      outputError: (text, write) => write(usageError(text, `corvid ${verb.name} --help`)),
    });
  if (verb.arguments) command.arguments(verb.arguments);
  addGlobalFlags(verb.flags ? verb.flags(command) : command);
  command.addHelpText('after', `\nExamples:\n${verb.examples.map((line) => `  ${line}`).join('\n')}`);
  command.action(async (...received: unknown[]) => {
    const flags = { ...program.opts(), ...command.opts() };
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

/** Commander's message as this program writes them: what was wrong, and below it, set in, what to do. */
function usageError(text: string, help: string): string {
  const [message = '', ...hints] = text
    .replace(/^error: /, '')
    .trim()
    .split('\n');
  const hint = hints.join(' ').replace(/^\((.*)\)$/, '$1') || `See ${help}.`;
  return `corvid: ${printableLine(message)}\n  ${printableLine(hint)}\n`;
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
