import type { ResolvedViewer } from '../contracts/index.js';
import type { ChangeFeed } from './change-feed.js';
import type { Connection } from './connection.js';
import type { Scopes } from './scopes.js';

/** How many of the chunks that a viewer may see have a vector. */
export interface Coverage {
  embedded: number;
  total: number;
}

const MAX_CACHED = 1000;

/** While vectors are being made, counts may be so old: every batch changes them, and nobody acts on the exact number. */
const MAX_AGE_MS = 250;

/**
 * Counts for the viewer alone, remembered until the store changes: they are asked for by every search. While the queue
 * of a space is not empty counts of a space that has some vectors and lacks some may lag a little.
 */
export class EmbeddingCoverage {
  readonly #connection: Connection;
  readonly #scopes: Scopes;
  readonly #feed: ChangeFeed;
  readonly #known = new Map<string, Coverage & { asOfChange: number; countedAt: number }>();

  constructor(connection: Connection, scopes: Scopes, feed: ChangeFeed) {
    this.#connection = connection;
    this.#scopes = scopes;
    this.#feed = feed;
  }

  of(space: number, viewer: ResolvedViewer): Coverage {
    const latest = this.#feed.latest();
    if (this.#known.size > MAX_CACHED) this.#known.clear();
    const visible = JSON.stringify(this.#scopes.visible(viewer));
    const key = `${space} ${visible}`;
    const known = this.#known.get(key);
    if (known && (known.asOfChange === latest || this.#mayLag(known, space))) return known;
    const coverage = this.#connection.get<Coverage>(
      `SELECT count(*) AS total, count(e.chunk) AS embedded
         FROM visibility v LEFT JOIN embeddings e ON e.space_id = ? AND e.chunk = v.chunk
         WHERE v.scope_id IN (SELECT value FROM json_each(?))`,
      space,
      visible,
    )!;
    this.#known.set(key, { ...coverage, asOfChange: latest, countedAt: performance.now() });
    return coverage;
  }

  #mayLag({ embedded, total, countedAt }: Coverage & { countedAt: number }, space: number): boolean {
    return (
      embedded > 0 &&
      embedded < total &&
      performance.now() - countedAt < MAX_AGE_MS &&
      this.#connection.value('SELECT 1 FROM embedding_jobs WHERE space_id = ? LIMIT 1', space) !== undefined
    );
  }
}
