import type { Json } from '../../contracts/index.js';
import { toItemId } from '../../core/ids.js';
import { toTime } from '../../core/time.js';
import { toJson } from './to-json.js';

/** Fields of a JSON object, each taken once and checked. Messages name the field. */
export class JsonObject {
  readonly #fields: Map<string, unknown>;

  /** @throws Error for a line that is no JSON object. */
  constructor(line: string) {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      throw new Error('no JSON');
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new Error('no JSON object');
    // A field that is null says nothing.
    this.#fields = new Map(Object.entries(value).filter(([, entry]) => entry !== null));
  }

  text(name: string): string | undefined {
    const value = this.#take(name);
    if (value !== undefined && typeof value !== 'string') throw new Error(`${name} is no text`);
    return value;
  }

  id(): string | undefined {
    const value = this.#take('id');
    if (value === undefined) return undefined;
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new Error('id is neither text nor a number');
    return toItemId(value);
  }

  number(name: string, allowed: (value: number) => boolean): number | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !allowed(value)) throw new Error(`${name} is out of range`);
    return value;
  }

  flag(name: string): boolean | undefined {
    const value = this.#take(name);
    if (value !== undefined && typeof value !== 'boolean')
      throw new Error(`${name} is neither true nor false`);
    return value;
  }

  /** Epoch milliseconds. */
  time(name: string): number | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string' && typeof value !== 'number') throw new Error(`${name} is no time`);
    return toTime(value, name);
  }

  texts(name: string): string[] | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || !value.every((entry) => typeof entry === 'string')) {
      throw new Error(`${name} is no list of texts`);
    }
    return value;
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    const choice = choices.find((entry) => entry === value);
    if (choice === undefined) throw new Error(`${name} is none of ${choices.join(', ')}`);
    return choice;
  }

  /** @throws Error when one of the fields is there. */
  refuse(names: readonly string[]): void {
    for (const name of names) {
      if (this.#fields.has(name)) throw new Error(`${name} is not taken from a file`);
    }
  }

  /** What was not taken, with the entries of `meta` among it; absent when there is none. */
  rest(): { readonly [key: string]: Json } | undefined {
    const meta = toJson(this.#take('meta') ?? {});
    if (typeof meta !== 'object' || meta === null || Array.isArray(meta))
      throw new Error('meta is no object');
    const entries = [
      ...[...this.#fields].map(([key, value]) => [key, toJson(value)] as const),
      ...Object.entries(meta),
    ];
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }

  #take(name: string): unknown {
    const value = this.#fields.get(name);
    this.#fields.delete(name);
    return value;
  }
}
