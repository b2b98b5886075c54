import type { EmbeddingSpace } from '../contracts/index.js';
import type { Connection } from './connection.js';

/** `active` serves searches; `building` is filled beside it; `retired` waits to be deleted; `caller` holds vectors that callers brought. */
export type SpaceState = 'active' | 'building' | 'retired' | 'caller';

export interface StoredSpace {
  id: number;
  provider: string;
  model: string;
  /** Null until the first vector tells it. */
  dimensions: number | null;
  fingerprint: string;
  spec: EmbeddingSpace;
  state: SpaceState;
}

interface SpaceRow extends Omit<StoredSpace, 'spec'> {
  spec: string;
}

/** The setting that holds the highest id a space ever had. */
const LAST_SPACE = 'last-space';

const COLUMNS = 'space_id AS id, provider, model, dimensions, fingerprint, spec, state';

/** The embedding spaces of a store: vectors of two of them are never compared. */
export class Spaces {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  all(): StoredSpace[] {
    return this.#connection.all<SpaceRow>(`SELECT ${COLUMNS} FROM spaces ORDER BY space_id`).map(parse);
  }

  byFingerprint(fingerprint: string): StoredSpace | null {
    const row = this.#connection.get<SpaceRow>(
      `SELECT ${COLUMNS} FROM spaces WHERE fingerprint = ?`,
      fingerprint,
    );
    return row ? parse(row) : null;
  }

  byState(state: SpaceState): StoredSpace | null {
    const row = this.#connection.get<SpaceRow>(
      `SELECT ${COLUMNS} FROM spaces WHERE state = ? ORDER BY space_id LIMIT 1`,
      state,
    );
    return row ? parse(row) : null;
  }

  /** The space that a caller means: same provider and model, and the same dimensions where they are known. */
  named(space: EmbeddingSpace): StoredSpace | null {
    return (
      this.all().find(
        (stored) =>
          stored.provider === space.provider &&
          stored.model === space.model &&
          stored.state !== 'retired' &&
          (space.dimensions === undefined ||
            stored.dimensions === null ||
            stored.dimensions === space.dimensions),
      ) ?? null
    );
  }

  create(space: EmbeddingSpace, fingerprint: string, state: SpaceState, now: number): StoredSpace {
    this.#connection.run(
      `INSERT INTO spaces (space_id, provider, model, dimensions, fingerprint, spec, encoding, state, created_at)
       VALUES (?, ?, ?, ?, ?, ?, 'float32', ?, ?)`,
      this.#newId(),
      space.provider,
      space.model,
      space.dimensions ?? null,
      fingerprint,
      JSON.stringify(space),
      state,
      now,
    );
    return this.byFingerprint(fingerprint)!;
  }

  /** Never one of a space that is gone: another process may still hold its vectors in memory, or be filling it. */
  #newId(): number {
    const last = this.#connection.value<number>(
      `SELECT max(coalesce((SELECT max(space_id) FROM spaces), 0),
         coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE name = ?), 0))`,
      LAST_SPACE,
    )!;
    this.#connection.run(
      'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      LAST_SPACE,
      String(last + 1),
    );
    return last + 1;
  }

  setDimensions(id: number, dimensions: number): void {
    this.#connection.run(
      'UPDATE spaces SET dimensions = ? WHERE space_id = ? AND dimensions IS NULL',
      dimensions,
      id,
    );
  }

  /** The vectors of a space are no longer those of its embedder, whose fingerprint becomes free. */
  disown(id: number): void {
    this.#connection.run(
      `UPDATE spaces SET fingerprint = fingerprint || ':' || coalesce(dimensions, 0) || ':' || space_id WHERE space_id = ?`,
      id,
    );
  }

  setState(id: number, state: SpaceState): void {
    this.#connection.run('UPDATE spaces SET state = ? WHERE space_id = ?', state, id);
  }

  /** Deletes a space with its vectors and jobs. */
  remove(id: number): void {
    this.#connection.run('DELETE FROM spaces WHERE space_id = ?', id);
  }
}

function parse(row: SpaceRow): StoredSpace {
  return { ...row, spec: JSON.parse(row.spec) as EmbeddingSpace };
}
