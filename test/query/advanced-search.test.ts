import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Embedder } from '../../src/index.js';
import { addAll, ids, tempStore } from '../support/temp.js';

const advanced = { syntax: 'advanced', touch: false, limit: 100 } as const;

async function pottery(embedder?: Embedder) {
  const memory = await tempStore(embedder ? { embedder } : {});
  await addAll(memory, {
    kiln: { title: 'Firing', text: 'The kiln is hot. Glaze is ready.' },
    oven: { title: 'Kiln in the kitchen', text: 'An oven bakes bread, and rate_limit is a name.' },
    clay: 'Wet clay on the wheel; the wheel is wet with clay.',
    long: `A kiln stands here.\n\n${'Filler about the weather and the road. '.repeat(120)}\n\nAt the end there is porcelain.`,
    kyoto: '京都の窯で焼く',
    german: 'Der Töpfer brennt im Ofen.',
  });
  return memory;
}

describe('a search in the advanced syntax', () => {
  it.each([
    ['kiln glaze', ['kiln']],
    ['kiln OR bread', ['kiln', 'long', 'oven']],
    ['kiln -glaze', ['long', 'oven']],
    ['kiln NOT (glaze OR bread)', ['long']],
    // Several passages of one document count together.
    ['kiln porcelain', ['long']],
    ['kiln -porcelain', ['kiln', 'oven']],
    ['"wet clay"', ['clay']],
    ['"clay wet"', []],
    ['title:kiln', ['oven']],
    ['body:kiln', ['kiln', 'long']],
    ['porc*', ['long']],
    ['baking', ['oven']],
    ['töpfer', ['german']],
    ['töp*', ['german']],
    ['rate_limit', ['oven']],
    ['京都', ['kyoto']],
    ['the -kiln', ['clay', 'long', 'oven', 'kiln'].filter((id) => id === 'clay')],
  ])('%s finds %j', async (text, expected) => {
    const memory = await pottery();
    expect((await ids(memory, text, advanced)).sort()).toEqual([...expected].sort());
  });

  it('ranks by what is asked for', async () => {
    const memory = await pottery();
    expect((await ids(memory, '(wheel OR kiln) -hot', advanced))[0]).toBe('clay');
  });

  it('binds the vector stream too, which is asked without operators and excluded words', async () => {
    const asked: string[] = [];
    const embedder: Embedder = {
      id: 'test:flat',
      space: { provider: 'test', model: 'flat', dimensions: 2 },
      async embed(texts, { kind }) {
        if (kind === 'query') asked.push(...texts);
        return texts.map(() => Float32Array.of(1, 0));
      },
    };
    const memory = await pottery(embedder);
    await memory.drain();
    expect(await ids(memory, 'kiln -glaze -bread', advanced)).toEqual(['long']);
    expect(asked).toEqual(['kiln']);
  });

  it('sees only what the viewer may see', async () => {
    const memory = await tempStore();
    await memory.add({ id: 'mine', text: 'kiln and glaze', scope: { user: 'ann', visibility: 'personal' } });
    expect(await ids(memory, 'kiln glaze', { ...advanced, viewer: { user: 'bob' } })).toEqual([]);
    expect(await ids(memory, 'kiln glaze', { ...advanced, viewer: { user: 'ann' } })).toEqual(['mine']);
  });

  it('is refused with the place where it cannot be read', async () => {
    const memory = await pottery();
    await expect(memory.search('kiln "glaze', advanced)).rejects.toMatchObject({
      code: 'invalid-query',
      message: expect.stringContaining('character 6'),
    });
    await expect(memory.search('kiln !!!', advanced)).rejects.toMatchObject({ code: 'invalid-query' });
  });

  it('without the option nothing is an operator', async () => {
    const memory = await pottery();
    expect(await ids(memory, 'kiln -glaze "', { touch: false })).toContain('kiln');
  });

  it('agrees with the sets of each word, whatever the operators', async () => {
    const memory = await pottery();
    const words = ['kiln', 'glaze', 'oven', 'clay', 'porcelain', 'hot'];
    const sets = new Map<string, Set<string>>();
    for (const word of words) sets.set(word, new Set(await ids(memory, word, advanced)));
    const everything = new Set((await memory.list({ limit: 100 })).items.map((item) => item.id));
    const word = fc.constantFrom(...words).map((text) => ({ text, set: sets.get(text)! }));
    const tree = fc.letrec<{ node: { text: string; set: Set<string> } }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        word,
        fc.tuple(tie('node'), tie('node')).map(([a, b]) => ({
          text: `(${a.text} ${b.text})`,
          set: new Set([...a.set].filter((id) => b.set.has(id))),
        })),
        fc.tuple(tie('node'), tie('node')).map(([a, b]) => ({
          text: `(${a.text} OR ${b.text})`,
          set: new Set([...a.set, ...b.set]),
        })),
        tie('node').map((a) => ({
          text: `-${a.text}`,
          set: new Set([...everything].filter((id) => !a.set.has(id))),
        })),
      ),
    })).node;
    await fc.assert(
      fc.asyncProperty(word, tree, async (asked, condition) => {
        const found = await ids(memory, `${asked.text} ${condition.text}`, advanced);
        expect(found.sort()).toEqual([...asked.set].filter((id) => condition.set.has(id)).sort());
      }),
      { numRuns: 60 },
    );
  });
});
