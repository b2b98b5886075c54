import type { QueryTerm } from '../contracts/index.js';
import type { ChangeFeed } from './change-feed.js';
import type { Connection } from './connection.js';

/** Terms whose counts are kept. A look-up reads a term's whole list of occurrences: 0.02 ms at 5k chunks, 0.3 ms at 100k. */
const MAX_CACHED = 10_000;

/** In how many chunks terms occur, remembered until the store changes. */
export class TermStatistics {
  readonly #connection: Connection;
  readonly #feed: ChangeFeed;
  readonly #counts = new Map<string, number>();
  #asOfChange = -1;

  constructor(connection: Connection, feed: ChangeFeed) {
    this.#connection = connection;
    this.#feed = feed;
  }

  frequencies(terms: readonly QueryTerm[]): number[] {
    const latest = this.#feed.latest();
    if (latest !== this.#asOfChange || this.#counts.size > MAX_CACHED) {
      this.#counts.clear();
      this.#asOfChange = latest;
    }
    return terms.map(({ term, prefix }) => {
      const key = `${prefix ? '*' : '='}${term}`;
      let count = this.#counts.get(key);
      if (count === undefined) {
        count = prefix ? this.#ofPrefix(term) : this.#ofTerm(term);
        this.#counts.set(key, count);
      }
      return count;
    });
  }

  #ofTerm(term: string): number {
    return this.#connection.value<number>('SELECT doc FROM lexical_terms WHERE term = ?', term) ?? 0;
  }

  /** An upper bound: a chunk counts for every term with the prefix that it holds. */
  #ofPrefix(prefix: string): number {
    const end = `${prefix}\u{10ffff}`;
    return (
      this.#connection.value<number | null>(
        'SELECT sum(doc) FROM lexical_terms WHERE term >= ? AND term < ?',
        prefix,
        end,
      ) ?? 0
    );
  }
}
