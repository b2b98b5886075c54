import { type Command, Option } from 'commander';
import type { ItemPatch, NewItem } from '../../index.js';
import { jsonObject, KINDS, number, repeat } from '../flags.js';

/** Flags for the fields of an item, shared by `add` and `update`. */
export function addItemFlags(command: Command): Command {
  return command
    .option('--title <title>', 'title')
    .addOption(new Option('--kind <kind>', 'what it is').choices([...KINDS]))
    .option('--uri <uri>', 'where the text came from')
    .option('--tag <tag>', 'a tag (repeatable)', repeat)
    .option('--importance <n>', 'from 0 to 1; default 0.5', number(0, 1))
    .option('--strength <n>', 'above 0; default 1', number(1e-9, 1e6))
    .option('--occurred-at <date>', 'when it happened: 2031-07-19 or 2031-07-19T10:30:00Z')
    .option('--expires-at <date>', 'from when on it is out of search')
    .option('--pinned', 'keep it at hand')
    .option('--speaker <name>', 'who said it')
    .option('--author <name>', 'who wrote it')
    .option('--keyword <word>', 'a keyword (repeatable)', repeat)
    .option('--date <text>', 'the date as the source wrote it')
    .option('--meta <json>', 'a JSON object of anything else', jsonObject);
}

/** The item's fields among the flags, named as the library names them. */
export function itemFields(flags: Record<string, unknown>): NewItem & ItemPatch {
  const {
    title,
    kind,
    uri,
    tag,
    importance,
    strength,
    occurredAt,
    expiresAt,
    pinned,
    speaker,
    author,
    keyword,
    date,
    meta,
  } = flags;
  const fields = {
    title,
    kind,
    uri,
    tags: tag,
    importance,
    strength,
    occurredAt,
    expiresAt,
    pinned,
    speaker,
    author,
    keywords: keyword,
    date,
    meta,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as NewItem &
    ItemPatch;
}
