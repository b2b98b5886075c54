import { describe, expect, it } from 'vitest';
import { SearchPriority } from './search-priority.js';

describe('background work', () => {
  it('goes on at once when no search runs', async () => {
    const priority = new SearchPriority();
    const order: string[] = [];
    const work = priority.pause(60_000).then(() => order.push('work'));
    await work;
    expect(order).toEqual(['work']);
  });

  it('waits for every search that runs, also for one that fails', async () => {
    const priority = new SearchPriority();
    const order: string[] = [];
    let finish = () => {};
    let fail = () => {};
    const first = priority.during(() => new Promise<void>((resolve) => (finish = resolve)));
    const second = priority.during(
      () => new Promise<void>((_, reject) => (fail = () => reject(new Error('no')))),
    );
    const work = priority.pause(60_000).then(() => order.push('work'));
    finish();
    await first;
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual([]);
    order.push('searches done');
    fail();
    await expect(second).rejects.toThrow('no');
    await work;
    expect(order).toEqual(['searches done', 'work']);
  });

  it('is not held up for good', async () => {
    const priority = new SearchPriority();
    void priority.during(() => new Promise(() => {}));
    await priority.pause(5);
  });
});
