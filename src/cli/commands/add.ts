import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { addAbortSignal } from 'node:stream';
import { Option } from 'commander';
import type { AddResult, CorvidError, Memory, NewItem } from '../../index.js';
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
    if (typeof many === 'string') {
      if (args.length > 0) {
        throw new CliError(
          '--jsonl and a text were given.',
          'Add the text and the file one after the other.',
        );
      }
      return addMany(session, many);
    }
    if (args.length === 0) {
      throw new CliError('There is nothing to add.', 'Give the text, or - to read it from standard input.');
    }
    const text = args.length === 1 && args[0] === '-' ? await readAll(session.terminal) : args.join(' ');
    if (text.trim() === '' && flags.title === undefined) {
      throw new CliError('The text to add is empty.', 'Give a text, or at least --title.');
    }
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
    const result = await session.withMemory(
      { create: true, rehearse: true, embedder: true },
      async (memory) => {
        const added = await memory.add(item, { viewer: session.viewer });
        await session.finishEmbedding(memory);
        return added;
      },
    );
    if (session.flags.json) session.out.json(result);
    else {
      session.out.line(printableLine(result.id));
      session.out.note(`${result.status}.`);
    }
  },
};

/** Adds a JSON Lines file in batches. A bad line ends it; what was stored before is said. */
async function addMany(session: Session, file: string): Promise<void> {
  const items = readItems(file, session);
  // A file that cannot be read, or begins with a bad line, makes no database.
  const first = await items.next();
  let stored = 0;
  const addAll = async (memory: Memory): Promise<AddResult[]> =>
    memory.addMany(startingWith(first, items), {
      viewer: session.viewer,
      signal: session.terminal.signal,
      onProgress: ({ done }) => {
        stored = done;
        session.out.progress(`${done} added`);
      },
    });
  let results: AddResult[];
  try {
    results = await session.withMemory({ create: true, embedder: true }, async (memory) => {
      const all = await addAll(memory);
      await session.finishEmbedding(memory);
      return all;
    });
  } catch (error) {
    session.out.warn(
      `corvid: ${stored} ${stored === 1 ? 'item was' : 'items were'} stored before the error.`,
    );
    throw error;
  }
  session.out.endProgress();
  if (session.flags.json) session.out.json(results);
  else {
    for (const { id, status } of results) session.out.line(`${printableLine(id)}\t${status}`);
    session.out.note(`${results.length} items.`);
  }
}

async function* startingWith<T>(first: IteratorResult<T>, rest: AsyncIterable<T>): AsyncGenerator<T> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

async function* readItems(file: string, session: Session): AsyncGenerator<NewItem> {
  const { validate, newItem } = await import('../../schemas/index.js');
  let line = 0;
  for await (const text of readLines(file, session)) {
    line++;
    if (text.trim() === '') continue;
    const where = `${file === '-' ? 'standard input' : file}, line ${line}`;
    let item: unknown;
    try {
      item = JSON.parse(line === 1 ? text.replace(/^\ufeff/, '') : text);
    } catch (error) {
      throw new CliError(
        `${where} is not JSON: ${(error as Error).message}.`,
        'Write one JSON object a line.',
        1,
      );
    }
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      throw new CliError(`${where} is not an object.`, 'Write one object such as {"text": "…"} a line.', 1);
    }
    try {
      validate(newItem, item, 'the item');
    } catch (error) {
      const { message, hint } = error as CorvidError;
      throw new CliError(`${where}: ${message}`, hint, 1);
    }
    const given = item as NewItem;
    yield { ...given, scope: { ...session.scope, ...given.scope } };
  }
}

/** Lines of a file or of standard input. Opened before it is read, so that a missing file is told as such. */
async function* readLines(file: string, { terminal }: Session): AsyncGenerator<string> {
  if (file === '-') {
    yield* createInterface({
      input: addAbortSignal(terminal.signal, terminal.stdin),
      crlfDelay: Number.POSITIVE_INFINITY,
      signal: terminal.signal,
    });
    // An interrupt ends the lines as the end of the input does.
    terminal.signal.throwIfAborted();
    return;
  }
  const path = resolve(terminal.cwd, file);
  let handle: FileHandle;
  try {
    handle = await open(path);
    if ((await handle.stat()).isDirectory()) {
      await handle.close();
      throw Object.assign(new Error('is a folder'), { code: 'EISDIR' });
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    const reasons: Record<string, string> = {
      ENOENT: 'does not exist',
      EISDIR: 'is a folder, not a file',
      EACCES: 'may not be read',
    };
    throw new CliError(
      `${path} ${reasons[code] ?? `cannot be read (${code})`}.`,
      'Name a file with one item as JSON a line, or - for standard input.',
      1,
    );
  }
  yield* handle.readLines();
}
