import { describe, expect, it } from 'vitest';
import { addAll, ids, tempStore } from '../support/temp.js';

describe('S3 same words, other strength and importance', () => {
  it('the strongest comes first, the weakest last', async () => {
    const memory = await tempStore();
    await addAll(memory, {
      b: { kind: 'memory', text: 'the boiler pressure is two bar', strength: 1, importance: 0.5 },
      c: { kind: 'memory', text: 'the boiler pressure is two bar', strength: 5, importance: 0.9 },
      a: { kind: 'memory', text: 'the boiler pressure is two bar', strength: 0.2, importance: 0.1 },
    });
    expect(await ids(memory, 'boiler pressure')).toEqual(['c', 'b', 'a']);
  });
});

describe('S4 a question finds the fact by its words', () => {
  it('"What GPU does the server have?" finds the GPU server first among distractors', async () => {
    const memory = await tempStore();
    await addAll(memory, {
      gpu: 'the GPU server has 4x RTX 3090',
      d1: 'the server room has two air conditioners',
      d2: 'the mail server was moved to another rack',
      d3: 'what the gardener does in winter',
      d4: 'the web server restarts at night and does a backup',
      d5: 'we have a new coffee machine',
    });
    expect((await ids(memory, 'What GPU does the server have?'))[0]).toBe('gpu');
  });
});

describe('S18 a stream lists more than the page, so that limit only truncates', () => {
  it('limit 1 is the first of limit 10, and of limit 100', async () => {
    const memory = await tempStore();
    await addAll(
      memory,
      Object.fromEntries(
        Array.from({ length: 120 }, (_, i) => [
          `i${i}`,
          `kiln ${'glaze '.repeat(i % 7)} shelf ${'ash '.repeat(i % 5)}`,
        ]),
      ),
    );
    const hundred = await ids(memory, 'kiln glaze ash', { limit: 100 });
    expect(hundred).toHaveLength(100);
    expect(await ids(memory, 'kiln glaze ash', { limit: 10 })).toEqual(hundred.slice(0, 10));
    expect(await ids(memory, 'kiln glaze ash', { limit: 1 })).toEqual(hundred.slice(0, 1));
    expect(await ids(memory, 'kiln glaze ash', { limit: 10, offset: 20 })).toEqual(hundred.slice(20, 30));
  });
});

describe('S26 chunks are passages of the text, and an item is one hit', () => {
  const section = (word: string) =>
    `## About ${word}\n\n${`The glaze of the ${word} kiln is fired slowly and cooled for a day. `.repeat(20)}\n\n`;
  const long = `# Kiln book\n\n${['brick', 'gas', 'wood', 'salt', 'raku', 'pit'].map(section).join('')}`;

  it("groupBy 'chunk' gives passages whose text is the item's text at their offsets", async () => {
    const memory = await tempStore();
    await addAll(memory, { long, short: 'a glaze recipe' });
    const { hits } = await memory.search('glaze kiln', { groupBy: 'chunk', limit: 3 });
    expect(hits).toHaveLength(3);
    for (const hit of hits) {
      const item = await memory.get(hit.id);
      expect(hit.text).toBe(item!.text.slice(hit.chunk.start, hit.chunk.end));
    }
  });

  it("groupBy 'item' lists a document with six matching chunks once", async () => {
    const memory = await tempStore();
    await addAll(memory, { long, short: 'a glaze recipe' });
    expect((await memory.get('long'))!.chunks).toBeGreaterThanOrEqual(6);
    expect((await ids(memory, 'glaze kiln')).sort()).toEqual(['long', 'short']);
  });
});
