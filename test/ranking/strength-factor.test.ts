import fc from 'fast-check';
import { expect, it } from 'vitest';
import { strengthFactor } from '../../src/core/decay.js';
import { open } from '../../src/index.js';

it('the factor that ranks is the one of core/decay, whatever strength, importance and age', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: -1000, max: 3000 }),
      fc.constantFrom('memory' as const, 'document' as const),
      async (strength, importance, days, kind) => {
        const now = Date.UTC(2031, 0, 1);
        const createdAt = now - days * 86_400_000;
        const memory = await open({ path: ':memory:', clock: { now: () => now } });
        await memory.add({ id: 'plain', kind: 'document', text: 'kiln' });
        await memory.add({ id: 'other', kind: 'document', text: 'nothing of the kind' });
        await memory.add({ id: 'more', kind: 'document', text: 'unrelated' });
        await memory.add({ id: 'x', kind, text: 'kiln', strength, importance, createdAt });
        const { hits } = await memory.search('kiln', { explain: true, touch: false });
        const raw = (id: string) => hits.find((hit) => hit.id === id)!.explanation!.streams.lexical!.raw;
        const factor = strengthFactor(
          { kind, strength, importance, accesses: 0, lastAccess: createdAt },
          now,
        );
        expect(raw('x') / raw('plain')).toBeCloseTo(factor, 9);
        await memory.close();
      },
    ),
    { numRuns: 60 },
  );
});
