import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { open } from '../../src/index.js';
import { checkIndex } from '../support/check-index.js';
import { tempStore } from '../support/temp.js';

const words = ['kiln', 'glaze', 'ash', 'brick', 'flame', 'shelf', 'cone', 'slip', 'clay', 'wheel'] as const;
const text = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 12 })
  .map((list) => list.join(' '));
const id = fc.integer({ min: 0, max: 7 }).map((n) => `i${n}`);

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: fc.constant('add' as const), id, text, title: fc.option(text) }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('update' as const), id, text }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('remove' as const), id }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('archive' as const), id }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('restore' as const), id }) },
);

describe('after any history of edits', () => {
  it('every score is that of a store that was filled afresh', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const memory = await tempStore();
        for (const s of steps) {
          const exists = (await memory.get(s.id)) !== null;
          if (s.op === 'add')
            await memory.add({ id: s.id, kind: 'document', text: s.text, title: s.title ?? undefined });
          else if (s.op === 'remove') await memory.remove(s.id);
          else if (exists && s.op === 'update') await memory.update(s.id, { text: s.text });
          else if (exists && s.op === 'archive') await memory.archive(s.id);
          else if (exists && s.op === 'restore') await memory.restore(s.id);
        }
        await checkIndex(memory);
        const fresh = await open(':memory:');
        for (const item of (await memory.list({ include: ['archived'] })).items) {
          await fresh.add({ id: item.id, kind: 'document', text: item.text, title: item.title ?? undefined });
          if (item.state === 'archived') await fresh.archive(item.id);
        }
        for (const query of ['kiln', 'glaze ash', 'brick flame shelf cone', 'clay wheel slip']) {
          const raw = async (store: typeof memory) =>
            (await store.search(query, { explain: true, limit: 100 })).hits
              .map((hit) => [hit.id, hit.explanation!.streams.lexical!.raw, hit.score])
              .sort();
          expect(await raw(memory)).toEqual(await raw(fresh));
        }
        await fresh.close();
        await memory.close();
      }),
      { numRuns: 40 },
    );
  });
});
