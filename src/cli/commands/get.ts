import type { Item } from '../../index.js';
import type { Verb } from '../command.js';
import { renderItem } from '../render/items.js';
import { printableLine } from '../terminal.js';

export const get: Verb = {
  name: 'get',
  arguments: '<id...>',
  summary: 'show items by id, in whatever state they are',
  examples: ['corvid get 0198c2f2-7e1a-7000-8000-2b7d6c0e4f11', 'corvid get kiln-log --json'],
  flags: (command) => command.option('--jsonl', 'print one item as JSON a line'),
  async run(session, ids) {
    const found = await session.withMemory({ create: false }, async (memory) => {
      const items: Item[] = [];
      for (const id of ids) {
        const item = await memory.get(id, { viewer: session.viewer });
        if (item) items.push(item);
        else {
          session.out.warn(`corvid: There is no item ${printableLine(JSON.stringify(id))}.`);
          session.markFailed();
        }
      }
      return items;
    });
    if (session.flags.json) {
      if (ids.length > 1) session.out.json(found);
      else if (found[0]) session.out.json(found[0]);
    } else {
      for (const item of found) {
        if (session.flags.jsonl) session.out.json(item, { oneLine: true });
        else renderItem(session.out, item);
      }
    }
  },
};
