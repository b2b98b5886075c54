import { describe, expect, it } from 'vitest';
import { Connection } from './connection.js';
import { openDatabase } from './open-database.js';
import { Spaces } from './spaces.js';

describe('the number of a space', () => {
  it('is not given again after the newest space is gone: another process may still hold its vectors', () => {
    const connection = new Connection(
      openDatabase({ path: ':memory:', create: true, journalMode: 'wal', busyTimeoutMs: 100, now: 0 }),
    );
    const spaces = new Spaces(connection);
    const create = (model: string) => spaces.create({ provider: 'test', model }, model, 'building', 0).id;
    const numbers = [create('a'), create('b')];
    spaces.remove(numbers[1]!);
    numbers.push(create('c'));
    for (const number of numbers) spaces.remove(number);
    numbers.push(create('d'));
    expect(new Set(numbers).size).toBe(4);
    connection.close();
  });
});
