import type { ListOptions } from '../../index.js';
import type { Verb } from '../command.js';
import { addFilterFlags, wholeNumber } from '../flags.js';
import { renderItemLine } from '../render/items.js';
import { filterFrom } from './filter.js';

export const list: Verb = {
  name: 'list',
  summary: 'list items, newest first',
  examples: ['corvid list -n 20', 'corvid list --kind memory --user oz --jsonl'],
  flags: (command) =>
    addFilterFlags(command)
      .option('-n, --limit <n>', 'how many items, 1 to 1000; default 100', wholeNumber(1, 1000))
      .option('--cursor <cursor>', 'the next page, from the cursor of the page before')
      .option('--jsonl', 'print one item as JSON a line'),
  async run(session, _, flags) {
    const options: ListOptions = {
      viewer: session.viewer,
      limit: session.flags.limit,
      cursor: flags.cursor as string | undefined,
      ...filterFrom(flags),
      signal: session.terminal.signal,
    };
    const result = await session.withMemory({ create: false }, (memory) => memory.list(options));
    if (session.flags.json) {
      session.out.json(result);
      return;
    }
    for (const item of result.items) {
      if (session.flags.jsonl) session.out.json(item, { oneLine: true });
      else renderItemLine(session.out, item);
    }
    if (result.items.length === 0) session.out.note('No items.');
    if (result.cursor) session.out.note(`More: --cursor ${result.cursor}`);
  },
};
