import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Option } from 'commander';
import type { AddResult, Memory, NewItem } from '../../index.js';
import { CliError } from '../cli-error.js';
import type { Verb } from '../command.js';
import { VISIBILITIES } from '../flags.js';
import type { Session } from '../session.js';
import { printableLine, readAll } from '../terminal.js';
import { addItemFlags, itemFields } from './item-flags.js';

export const add: Verb = {
  name: 'add',
  arguments: '[text...]',
  summary: 'add an item; - reads the text from standard input',
  examples: [
    'corvid add "Oz prefers dark mode" --user oz --tag preference',
    'git log -1 | corvid add - --kind note --title "Last commit"',
    'corvid add --jsonl items.jsonl',
  ],
  flags: (command) =>
    addItemFlags(command)
      .option('--id <id>', 'its id; one that exists is replaced')
      .option('--source <name>', 'name of the source that owns it')
      .addOption(new Option('--visibility <visibility>', 'who may see it').choices([...VISIBILITIES]))
      .option('--jsonl <file>', 'add many: a file with one item as JSON a line; - for standard input'),
  async run(session, args, flags) {
    const many = flags.jsonl;
    if (typeof many === 'string') return addMany(session, many);
    if (args.length === 0) {
      throw new CliError('There is nothing to add.', 'Give the text, or - to read it from standard input.');
    }
    const text =
      args.length === 1 && args[0] === '-' ? await readAll(session.terminal.stdin) : args.join(' ');
    const { id, source, visibility } = flags as Pick<NewItem, 'source'> & {
      id?: string;
      visibility?: 'global';
    };
    const item: NewItem = {
      ...itemFields(flags),
      text,
      ...(id === undefined ? {} : { id }),
      ...(source === undefined ? {} : { source }),
      scope: { ...session.scope, ...(visibility === undefined ? {} : { visibility }) },
    };
    const result = await session.withMemory({ create: true }, (memory) =>
      memory.add(item, { viewer: session.viewer }),
    );
    if (session.flags.json) session.out.json(result);
    else {
      session.out.line(result.id);
      session.out.note(`${result.status}.`);
    }
  },
};

/** Adds a JSON Lines file in batches. A bad line ends it; what was stored before is said. */
async function addMany(session: Session, file: string): Promise<void> {
  const input: Readable = file === '-' ? session.terminal.stdin : createReadStream(file);
  let stored = 0;
  const addAll = async (memory: Memory): Promise<AddResult[]> =>
    memory.addMany(readItems(input, file, session), {
      viewer: session.viewer,
      signal: session.terminal.signal,
      onProgress: ({ done }) => {
        stored = done;
        session.out.progress(`${done} added`);
      },
    });
  try {
    const results = await session.withMemory({ create: true }, addAll);
    if (session.flags.json) session.out.json(results);
    else {
      for (const { id, status } of results) session.out.line(`${printableLine(id)}\t${status}`);
      session.out.note(`${results.length} items.`);
    }
  } catch (error) {
    session.out.endProgress();
    session.out.warn(`corvid: ${stored} items before the error are stored.`);
    throw error;
  }
}

async function* readItems(input: Readable, file: string, session: Session): AsyncGenerator<NewItem> {
  const name = file === '-' ? 'standard input' : file;
  let line = 0;
  let failure: NodeJS.ErrnoException | undefined;
  input.on('error', (error) => {
    failure = error;
  });
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line++;
    if (text.trim() === '') continue;
    let item: unknown;
    try {
      item = JSON.parse(line === 1 ? text.replace(/^\ufeff/, '') : text);
    } catch (error) {
      throw new CliError(
        `${name}, line ${line} is not JSON: ${(error as Error).message}.`,
        'Write one JSON object a line.',
        1,
      );
    }
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      throw new CliError(
        `${name}, line ${line} is not an object.`,
        'Write one object such as {"text": "…"} a line.',
        1,
      );
    }
    const given = item as NewItem;
    yield { ...given, scope: { ...session.scope, ...given.scope } };
  }
  if (failure) throw new CliError(`${name} cannot be read (${failure.code}).`, 'Check the path.', 1);
}
