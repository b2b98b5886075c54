import type { Command } from 'commander';
import type { Session } from './session.js';

/** One verb of the command line. Parser, help and documentation come from this table. */
export interface Verb {
  name: string;
  /** Arguments as commander writes them, such as `<text...>`. */
  arguments?: string;
  summary: string;
  /** Command lines that work, shown in the help. */
  examples: readonly string[];
  /** Adds the verb's own flags. */
  flags?(command: Command): Command;
  run(session: Session, args: string[], flags: Record<string, unknown>): Promise<void>;
}
