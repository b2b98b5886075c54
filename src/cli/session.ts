import { existsSync } from 'node:fs';
import type { Memory, ScopeInput, Viewer } from '../index.js';
import type { ResolvedSettings, Settings } from './settings.js';
import { resolveSettings } from './settings.js';
import { makeOutput, type Output, type Terminal } from './terminal.js';

/** Flags that every command takes, as commander gives them. */
export interface GlobalFlags {
  db?: string;
  workspace?: string;
  project?: string;
  user?: string;
  room?: string[];
  json?: boolean;
  jsonl?: boolean;
  quiet?: boolean;
  verbose?: boolean;
  strict?: boolean;
  limit?: number;
  touch?: boolean;
  embedder?: string;
  formerEmbedder?: string;
}

/** How a command uses the store. */
export interface MemoryUse {
  create: boolean;
  rehearse?: boolean;
  /** Whether the configured embedder is needed; default false: looking an item up starts no requests. */
  embedder?: boolean;
}

/** What a command works with: settings, output, and a store that is opened when it is needed. */
export interface Session {
  terminal: Terminal;
  out: Output;
  flags: GlobalFlags;
  settings: ResolvedSettings;
  viewer: Viewer;
  scope: ScopeInput;
  /**
   * Runs with an open store and closes it. With `create` false a missing file is an error, and none is made. With
   * `rehearse` a call that would make the file runs on a store in memory first: one that fails makes nothing.
   */
  withMemory<T>(o: MemoryUse, call: (memory: Memory) => Promise<T>): Promise<T>;
  /** Waits until what was written has its vectors, and says what still waits. Returns at once without an embedder. */
  finishEmbedding(memory: Memory): Promise<void>;
  /** Says that a result is degraded; with --strict the command then ends with exit code 3. */
  markDegraded(): void;
  /** Says that the command did not do all it was asked to; it then ends with exit code 1. */
  markFailed(): void;
  exitCode(): number;
}

export function makeSession(flags: GlobalFlags, terminal: Terminal): Session {
  const out = makeOutput(terminal, { quiet: flags.quiet ?? false });
  const settings = resolveSettings(fromFlags(flags), terminal);
  for (const warning of settings.warnings) out.warn(`corvid: ${warning}`);
  const { workspace, project, user, rooms = [] } = settings.values;
  let degraded = false;
  let failed = false;
  return {
    terminal,
    out,
    flags,
    settings,
    viewer: { workspace, project, user, rooms },
    scope: { workspace, project, ...(user ? { user } : {}), ...(rooms[0] ? { room: rooms[0] } : {}) },
    async withMemory({ create, rehearse = false, embedder = false }, call) {
      // Loaded here and not above: SQLite takes longer to load than all the rest of the command line.
      const { open, defaultDatabasePath } = await import('../index.js');
      const path = settings.values.db ?? defaultDatabasePath({ cwd: terminal.cwd, env: terminal.env });
      const runOn = async (file: string) => {
        const wanted = embedder && file !== ':memory:' ? (settings.values.embedder ?? 'none') : 'none';
        const former = wanted === 'none' ? 'none' : (settings.values.formerEmbedder ?? 'none');
        const memory = await open({ path: file, create, embedder: wanted, formerEmbedder: former });
        try {
          return await call(memory);
        } finally {
          await memory.close();
        }
      };
      if (create && rehearse && !existsSync(path)) await runOn(':memory:');
      return runOn(path);
    },
    async finishEmbedding(memory) {
      const { embedder } = await memory.status();
      if (embedder === 'none') return;
      await memory.drain({ signal: terminal.signal });
      const { pending, failed } = (await memory.status({ viewer: { workspace, project, user, rooms } }))
        .embeddings;
      if (pending > 0) {
        out.warn(
          `${pending} chunks wait for ${embedder}${failed > 0 ? ` (${failed} failed)` : ''}; corvid embed tries again.`,
        );
      }
    },
    markDegraded: () => {
      degraded = true;
    },
    markFailed: () => {
      failed = true;
    },
    exitCode: () => (failed ? 1 : degraded && flags.strict ? 3 : 0),
  };
}

function fromFlags(flags: GlobalFlags): Partial<Settings> {
  const { db, workspace, project, user, room, limit, touch, embedder, formerEmbedder } = flags;
  return {
    ...(db === undefined ? {} : { db }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(project === undefined ? {} : { project }),
    ...(user === undefined ? {} : { user }),
    ...(room === undefined ? {} : { rooms: room }),
    ...(limit === undefined ? {} : { limit }),
    ...(embedder === undefined ? {} : { embedder }),
    ...(formerEmbedder === undefined ? {} : { formerEmbedder }),
    // Only --no-touch says something; commander's default of true must not hide the environment.
    ...(touch === false ? { touch } : {}),
  };
}
