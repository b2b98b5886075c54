import type { EmbeddingSpace } from '../contracts/index.js';
import type { StoredSpace } from '../store/spaces.js';
import type { BatchEmbedder } from './batch-embedder.js';
import { fingerprint } from './fingerprint.js';

/**
 * Finds the embedder that a store's older vectors are of, so that they go on answering while new ones are built: the
 * one that the caller names, else another model of the configured embedder's own server. Texts are never sent to a
 * server that was not configured.
 */
export class FormerEmbedders {
  readonly #named: BatchEmbedder | null;
  readonly #ofSameServer: (space: EmbeddingSpace) => BatchEmbedder | null;
  readonly #found = new Map<string, BatchEmbedder | null>();

  constructor(
    named: BatchEmbedder | null = null,
    ofSameServer: (space: EmbeddingSpace) => BatchEmbedder | null = () => null,
  ) {
    this.#named = named;
    this.#ofSameServer = ofSameServer;
  }

  /** The embedder that the caller named for these vectors, or null. */
  namedFor(space: StoredSpace): BatchEmbedder | null {
    return this.#named && fingerprint(this.#named.space) === space.fingerprint ? this.#named : null;
  }

  /** The embedder of a space, or null when it cannot be had. */
  of(space: StoredSpace): BatchEmbedder | null {
    const named = this.namedFor(space);
    if (named) return named;
    let found = this.#found.get(space.fingerprint);
    if (found === undefined) {
      found = this.#ofSameServer(space.spec);
      // Settings that are not part of the stored space may have made another one.
      if (found && fingerprint(found.space) !== space.fingerprint) found = null;
      this.#found.set(space.fingerprint, found);
    }
    return found;
  }
}
