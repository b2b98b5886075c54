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

/** Counts for the viewer alone, remembered until the store changes: they are asked for by every search. */
export class EmbeddingCoverage {
  readonly #connection: Connection;
  readonly #scopes: Scopes;
  readonly #feed: ChangeFeed;
  readonly #known = new Map<string, Coverage>();
  #asOfChange = -1;

  constructor(connection: Connection, scopes: Scopes, feed: ChangeFeed) {
    this.#connection = connection;
    this.#scopes = scopes;
    this.#feed = feed;
  }

  of(space: number, viewer: ResolvedViewer): Coverage {
    const latest = this.#feed.latest();
    if (latest !== this.#asOfChange || this.#known.size > MAX_CACHED) {
      this.#known.clear();
      this.#asOfChange = latest;
    }
    const visible = JSON.stringify(this.#scopes.visible(viewer));
    const key = `${space} ${visible}`;
    let coverage = this.#known.get(key);
    if (!coverage) {
      coverage = this.#connection.get<Coverage>(
        `SELECT count(*) AS total, count(e.chunk) AS embedded
         FROM visibility v LEFT JOIN embeddings e ON e.space_id = ? AND e.chunk = v.chunk
         WHERE v.scope_id IN (SELECT value FROM json_each(?))`,
        space,
        visible,
      )!;
      this.#known.set(key, coverage);
    }
    return coverage;
  }
}
