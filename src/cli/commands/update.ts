import type { ItemPatch } from '../../index.js';
import { CliError } from '../cli-error.js';
import type { Verb } from '../command.js';
import { choices } from '../flags.js';
import { renderItem } from '../render/items.js';
import { readAll } from '../terminal.js';
import { addItemFlags, itemFields } from './item-flags.js';

const CLEARABLE = [
  'title',
  'text',
  'uri',
  'occurredAt',
  'expiresAt',
  'speaker',
  'author',
  'date',
  'meta',
  'tags',
  'keywords',
] as const;

export const update: Verb = {
  name: 'update',
  arguments: '<id> [text...]',
  summary: 'change fields of an item; - reads the new text from standard input',
  examples: [
    'corvid update kiln-log "Fired at cone 6" --tag pottery',
    'corvid update kiln-log --clear expiresAt --no-pinned',
  ],
  flags: (command) =>
    addItemFlags(command)
      .option('--no-pinned', 'do not keep it at hand any more')
      .addOption(
        choices('--clear <field>', `empty this field: ${CLEARABLE.join(', ')} (repeatable)`, CLEARABLE),
      ),
  async run(session, [id, ...words], flags) {
    const cleared = (flags.clear as (typeof CLEARABLE)[number][] | undefined) ?? [];
    const text = words.length === 1 && words[0] === '-' ? await readAll(session.terminal) : words.join(' ');
    const patch: ItemPatch = {
      ...itemFields(flags),
      ...(words.length > 0 ? { text } : {}),
      ...Object.fromEntries(
        cleared.map((field) => [field, field === 'tags' || field === 'keywords' ? [] : null]),
      ),
    };
    if (Object.keys(patch).length === 0) {
      throw new CliError(
        'There is nothing to change.',
        'Give a new text, a field such as --title, or --clear FIELD.',
      );
    }
    const item = await session.withMemory({ create: false, embedder: true }, async (memory) => {
      const updated = await memory.update(id!, patch, { viewer: session.viewer });
      await session.finishEmbedding(memory);
      return updated;
    });
    if (session.flags.json) session.out.json(item);
    else renderItem(session.out, item);
  },
};
