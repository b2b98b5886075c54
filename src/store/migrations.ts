import type { Database } from 'better-sqlite3';
import { CorvidError } from '../errors.js';
import { APPLICATION_ID, schema1 } from './schema.js';

/** One step of the schema. Steps never change after a release; a new one is added instead. */
interface Migration {
  version: number;
  up(db: Database, now: number): void;
}

const migrations: readonly Migration[] = [
  {
    version: 1,
    up(db) {
      db.exec(schema1);
      // A deleted row leaves no readable terms behind in the index segments.
      db.exec("INSERT INTO lexical (lexical, rank) VALUES ('secure-delete', 1)");
    },
  },
];

/** The schema that this version of Corvid writes. */
export const SCHEMA_VERSION = migrations.at(-1)!.version;

/** The schema version in the file; 0 for a new one. Throws when the file is another program's or newer. */
export function checkVersion(db: Database, path: string): number {
  const application = db.pragma('application_id', { simple: true }) as number;
  const version = db.pragma('user_version', { simple: true }) as number;
  if (application !== APPLICATION_ID) {
    const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() as number;
    if (application !== 0 || version !== 0 || tables > 0) throw foreignError(path);
    return 0;
  }
  if (version > SCHEMA_VERSION) throw tooNewError(path, version);
  return version;
}

/** Brings the file to the present schema: all steps in one immediate transaction, or none. */
export function migrate(db: Database, path: string, now: number): void {
  const run = db.transaction(() => {
    // Asked again under the write lock: another process may have been first.
    const from = checkVersion(db, path);
    for (const migration of migrations) {
      if (migration.version <= from) continue;
      migration.up(db, now);
      db.prepare('INSERT INTO schema_version (version, applied_at) VALUES (?, ?)').run(
        migration.version,
        now,
      );
    }
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${SCHEMA_VERSION}`);
  });
  run.immediate();
}

export function foreignError(path: string): CorvidError {
  return new CorvidError('foreign-database', `${path} is an SQLite database of another program.`, {
    hint: 'Name another file; this one was left as it is.',
  });
}

export function tooNewError(path: string, version: number): CorvidError {
  return new CorvidError(
    'schema-too-new',
    `${path} has schema ${version}; this version of Corvid knows schemas up to ${SCHEMA_VERSION}.`,
    { hint: 'Upgrade Corvid, or open another file; this one was left as it is.' },
  );
}
