import type { ItemOptions, Memory } from '../../index.js';
import type { Verb } from '../command.js';
import { printableLine } from '../terminal.js';

/** A verb that does one thing to each of several items, goes on after one that is missing, and names it. */
function byId<Result>(o: {
  name: string;
  summary: string;
  examples: readonly string[];
  call(memory: Memory, id: string, options: ItemOptions): Promise<Result>;
  /** What to print; null when there was no such item. */
  say(result: Result): string | null;
}): Verb {
  return {
    name: o.name,
    arguments: '<id...>',
    summary: o.summary,
    examples: o.examples,
    async run(session, ids) {
      const results = await session.withMemory({ create: false }, async (memory) => {
        const done: Result[] = [];
        for (const id of ids) {
          const fail = (message: string) => {
            session.out.warn(`corvid: ${printableLine(message)}`);
            session.markFailed();
          };
          try {
            const result = await o.call(memory, id, { viewer: session.viewer });
            const line = o.say(result);
            if (line === null) fail(`There is no item ${JSON.stringify(id)}.`);
            else if (!session.flags.json) session.out.line(printableLine(line));
            done.push(result);
          } catch (error) {
            if ((error as { code?: unknown }).code !== 'not-found') throw error;
            fail((error as Error).message);
          }
        }
        return done;
      });
      if (!session.flags.json) return;
      if (ids.length > 1) session.out.json(results);
      else if (results.length === 1) session.out.json(results[0]);
    },
  };
}

export const archive = byId({
  name: 'archive',
  summary: 'take items out of search and keep them',
  examples: ['corvid archive kiln-log'],
  call: (memory, id, options) => memory.archive(id, options),
  say: ({ id }) => `archived ${id}`,
});

export const restore = byId({
  name: 'restore',
  summary: 'bring archived items back',
  examples: ['corvid restore kiln-log'],
  call: (memory, id, options) => memory.restore(id, options),
  say: ({ id }) => `restored ${id}`,
});

export const remove = byId({
  name: 'remove',
  summary: 'take items out of the store',
  examples: ['corvid remove kiln-log glaze-notes'],
  call: (memory, id, options) => memory.remove(id, options),
  say: ({ id, removed }) => (removed ? `removed ${id}` : null),
});

export const forget = byId({
  name: 'forget',
  summary: 'remove items and leave none of their bytes in the file',
  examples: ['corvid forget kiln-log'],
  call: (memory, id, options) => memory.forget(id, options),
  say: ({ id, removed, erased }) =>
    removed
      ? `forgot ${id}${erased ? '' : ' (its last bytes go when another process that is reading has finished)'}`
      : null,
});
