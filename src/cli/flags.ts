import { type Command, InvalidArgumentError, Option } from 'commander';

/** Adds a value to those given before: for flags that may be repeated. */
export function repeat(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

/** A whole number within bounds. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^[+-]?\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max))
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return value;
  };
}

/** A number within bounds. */
export function number(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (!(value >= min && value <= max))
      throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
    return value;
  };
}

/** A JSON object. */
export function jsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Answered below, with what is wanted.
  }
  throw new InvalidArgumentError('It must be a JSON object.');
}

/** One of a few words, repeatable. */
export function choices(flag: string, description: string, values: readonly string[]): Option {
  const parse = (value: string, before: string[] | undefined) => {
    if (!values.includes(value)) throw new InvalidArgumentError(`It must be one of ${values.join(', ')}.`);
    return repeat(value, before);
  };
  return new Option(flag, description).argParser<string[] | undefined>(parse);
}

export const KINDS = ['memory', 'document', 'message', 'observation', 'note'] as const;
export const VISIBILITIES = ['personal', 'room', 'global'] as const;
export const STATES = ['archived', 'superseded', 'expired'] as const;

/** Flags of every command. */
export function addGlobalFlags(command: Command): Command {
  return command
    .option('--db <path>', 'database file')
    .option('--workspace <name>', 'workspace; default "default"')
    .option('--project <name>', 'project; default "default"')
    .option('--user <id>', 'whose personal items to see, and whose new items are')
    .option('--room <id>', 'a room to see; the first is where new items go (repeatable)', repeat)
    .option('--embedder <name>', 'embedder, such as ollama:bge-m3 or openai; default none')
    .option('--former-embedder <name>', 'whose vectors answer until reembed is done; default none')
    .option('--json', 'print one JSON value')
    .option('-q, --quiet', 'print no notes')
    .option('--verbose', 'print all details, and the stack of an error');
}

/** Filters that `search` and `list` share. */
export function addFilterFlags(command: Command): Command {
  return command
    .addOption(choices('--kind <kind>', `only this kind: ${KINDS.join(', ')} (repeatable)`, KINDS))
    .option('--tag <tag>', 'only items with this tag (repeatable: with all of them)', repeat)
    .option('--source <name>', 'only items of this source (repeatable: of any)', repeat)
    .option('--after <date>', 'authored at or after this date')
    .option('--before <date>', 'authored before this date')
    .addOption(
      choices(
        '--visibility <visibility>',
        `only ${VISIBILITIES.join(', ')} items (repeatable)`,
        VISIBILITIES,
      ),
    )
    .addOption(choices('--include <state>', `also ${STATES.join(', ')} items (repeatable)`, STATES));
}
