/** Marks the file as Corvid's in its header: "CRVD". */
export const APPLICATION_ID = 0x43525644;

/** ASCII punctuation, all of it part of terms: the analyzer makes the terms, FTS5 only splits at spaces. */
const TOKEN_CHARACTERS = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~';

/**
 * The first schema. Times are epoch milliseconds. Absent users and rooms are empty strings, so that the
 * unique key of a scope holds.
 */
export const schema1 = `
CREATE TABLE schema_version (
  version INTEGER PRIMARY KEY,
  applied_at INTEGER NOT NULL
) STRICT;

CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE scopes (
  scope_id INTEGER PRIMARY KEY,
  workspace TEXT NOT NULL,
  project TEXT NOT NULL,
  visibility TEXT NOT NULL CHECK (visibility IN ('personal', 'room', 'global')),
  user TEXT NOT NULL,
  room TEXT NOT NULL,
  UNIQUE (workspace, project, visibility, user, room)
) STRICT;
CREATE INDEX scopes_by_room ON scopes (workspace, project, visibility, room);

CREATE TABLE sources (
  source_id INTEGER PRIMARY KEY,
  workspace TEXT NOT NULL,
  name TEXT NOT NULL,
  last_sync_at INTEGER,
  UNIQUE (workspace, name)
) STRICT;

CREATE TABLE items (
  item_key INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace TEXT NOT NULL,
  id TEXT NOT NULL,
  scope_id INTEGER NOT NULL REFERENCES scopes,
  source_id INTEGER REFERENCES sources,
  kind TEXT NOT NULL CHECK (kind IN ('memory', 'document', 'message', 'observation', 'note')),
  importance REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
  strength REAL NOT NULL CHECK (strength > 0),
  pinned INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  occurred_at INTEGER,
  expires_at INTEGER,
  archived_at INTEGER,
  superseded_by TEXT,
  superseded_at INTEGER,
  content_hash BLOB NOT NULL,
  file_hash TEXT,
  uri TEXT,
  title TEXT,
  tags TEXT NOT NULL,
  header TEXT NOT NULL,
  meta TEXT NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (workspace, id)
) STRICT;
CREATE INDEX items_by_scope ON items (scope_id, created_at, item_key);
CREATE INDEX items_by_source ON items (source_id, uri) WHERE source_id IS NOT NULL;
CREATE INDEX items_by_content ON items (content_hash);

CREATE TABLE item_tags (
  tag TEXT NOT NULL,
  item_key INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
  PRIMARY KEY (tag, item_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX item_tags_by_item ON item_tags (item_key);

CREATE TABLE chunks (
  chunk INTEGER PRIMARY KEY AUTOINCREMENT,
  item_key INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  start_offset INTEGER NOT NULL,
  end_offset INTEGER NOT NULL,
  byte_start INTEGER NOT NULL,
  byte_length INTEGER NOT NULL,
  heading_path TEXT NOT NULL,
  input_hash BLOB NOT NULL,
  analyzer_version INTEGER NOT NULL,
  UNIQUE (item_key, ordinal)
) STRICT;

CREATE TABLE visibility (
  chunk INTEGER PRIMARY KEY REFERENCES chunks ON DELETE CASCADE,
  item_key INTEGER NOT NULL,
  scope_id INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  expires_at INTEGER,
  authored_at INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  source_id INTEGER,
  neutral INTEGER NOT NULL,
  strength REAL NOT NULL,
  importance REAL NOT NULL,
  accesses INTEGER NOT NULL,
  last_access INTEGER NOT NULL
) STRICT;
CREATE INDEX visibility_by_item ON visibility (item_key);
CREATE INDEX visibility_not_neutral ON visibility (chunk) WHERE neutral = 0;

CREATE VIRTUAL TABLE lexical USING fts5(
  title, body, exact, header,
  tokenize = "ascii tokenchars '${TOKEN_CHARACTERS.replaceAll('"', '""')}'"
);

CREATE VIRTUAL TABLE lexical_terms USING fts5vocab(lexical, row);

CREATE TABLE spaces (
  space_id INTEGER PRIMARY KEY,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  dimensions INTEGER,
  fingerprint TEXT NOT NULL UNIQUE,
  spec TEXT NOT NULL,
  encoding TEXT NOT NULL CHECK (encoding IN ('float32', 'int8')),
  state TEXT NOT NULL CHECK (state IN ('active', 'building', 'retired', 'caller')),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE embeddings (
  space_id INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  chunk INTEGER NOT NULL REFERENCES chunks ON DELETE CASCADE,
  input_hash BLOB NOT NULL,
  vector BLOB NOT NULL,
  PRIMARY KEY (space_id, chunk)
) STRICT;
CREATE INDEX embeddings_by_chunk ON embeddings (chunk);

CREATE TABLE slabs (
  space_id INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  n INTEGER NOT NULL,
  change INTEGER NOT NULL,
  chunks BLOB NOT NULL,
  scales BLOB NOT NULL,
  vectors BLOB NOT NULL,
  PRIMARY KEY (space_id, n)
) STRICT;

CREATE TABLE embedding_jobs (
  space_id INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  chunk INTEGER NOT NULL REFERENCES chunks ON DELETE CASCADE,
  input_hash BLOB NOT NULL,
  attempts INTEGER NOT NULL,
  not_before INTEGER NOT NULL,
  lease TEXT,
  error TEXT,
  PRIMARY KEY (space_id, chunk)
) STRICT, WITHOUT ROWID;
CREATE INDEX embedding_jobs_by_chunk ON embedding_jobs (chunk);

CREATE TABLE entities (
  entity_id INTEGER PRIMARY KEY,
  workspace TEXT NOT NULL,
  canonical TEXT NOT NULL,
  name TEXT NOT NULL,
  UNIQUE (workspace, canonical)
) STRICT;

CREATE TABLE entity_items (
  entity_id INTEGER NOT NULL REFERENCES entities ON DELETE CASCADE,
  item_key INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
  PRIMARY KEY (entity_id, item_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX entity_items_by_item ON entity_items (item_key);

CREATE TABLE links (
  link_id INTEGER PRIMARY KEY,
  from_item INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
  to_item INTEGER REFERENCES items ON DELETE SET NULL,
  type TEXT NOT NULL,
  weight REAL NOT NULL,
  target TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (from_item, type, target)
) STRICT;
CREATE INDEX links_to ON links (to_item) WHERE to_item IS NOT NULL;
CREATE INDEX links_unresolved ON links (target) WHERE to_item IS NULL;

CREATE TABLE changes (
  change INTEGER PRIMARY KEY AUTOINCREMENT,
  item_key INTEGER NOT NULL,
  op TEXT NOT NULL CHECK (op IN ('put', 'state', 'remove', 'embed')),
  at INTEGER NOT NULL
) STRICT;
`;
