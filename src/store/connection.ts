import type { Database, Statement } from 'better-sqlite3';
import { CorvidError } from '../errors.js';
import type { OpenedDatabase } from './open-database.js';
import { mapError, readOnlyError } from './sqlite-errors.js';

/** Statements kept prepared, each way of reading for itself; the forms of a filter are few. */
const MAX_STATEMENTS = 256;

/** One open database: prepared statements, transactions, and errors in Corvid's terms. */
export class Connection {
  readonly path: string;
  readonly readOnly: boolean;
  readonly #db: Database;
  readonly #statements = {
    object: new Map<string, Statement<unknown[]>>(),
    array: new Map<string, Statement<unknown[]>>(),
    column: new Map<string, Statement<unknown[]>>(),
  };
  #executed = 0;

  constructor(opened: OpenedDatabase) {
    this.#db = opened.db;
    this.path = opened.path;
    this.readOnly = opened.readOnly;
  }

  /** How many statements ran so far: what benchmarks and guards count instead of seconds. */
  get executed(): number {
    return this.#executed;
  }

  get isOpen(): boolean {
    return this.#db.open;
  }

  /** A prepared statement, from the cache when its text was seen before. */
  #prepare(sql: string, shape: 'object' | 'array' | 'column' = 'object'): Statement<unknown[]> {
    if (!this.#db.open) {
      throw new CorvidError('closed', `The store ${this.path} is closed.`, { hint: 'Open it again.' });
    }
    this.#executed++;
    // A map a shape: a joined key would be hashed anew at every call, and these calls are the hottest there are.
    const statements = this.#statements[shape];
    let statement = statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      if (shape === 'array') statement.raw(true);
      if (shape === 'column') statement.pluck(true);
      if (statements.size >= MAX_STATEMENTS) statements.delete(statements.keys().next().value!);
      statements.set(sql, statement);
    }
    return statement;
  }

  all<Row>(sql: string, ...params: unknown[]): Row[] {
    return this.#guard(() => this.#prepare(sql).all(...params) as Row[]);
  }

  /** Rows as arrays, in the order of the columns: cheaper than objects where there are many. */
  rows<Row extends unknown[]>(sql: string, ...params: unknown[]): Row[] {
    return this.#guard(() => this.#prepare(sql, 'array').all(...params) as Row[]);
  }

  get<Row>(sql: string, ...params: unknown[]): Row | undefined {
    return this.#guard(() => this.#prepare(sql).get(...params) as Row | undefined);
  }

  /** The first column of the first row. */
  value<Value>(sql: string, ...params: unknown[]): Value | undefined {
    return this.#guard(() => this.#prepare(sql, 'column').get(...params) as Value | undefined);
  }

  /** The first column of every row. */
  values<Value>(sql: string, ...params: unknown[]): Value[] {
    return this.#guard(() => this.#prepare(sql, 'column').all(...params) as Value[]);
  }

  run(sql: string, ...params: unknown[]): { changes: number; lastInsertRowid: number } {
    return this.#guard(() => {
      const result = this.#prepare(sql).run(...params);
      return { changes: result.changes, lastInsertRowid: Number(result.lastInsertRowid) };
    });
  }

  pragma<Value>(text: string): Value {
    return this.#guard(() => this.#db.pragma(text, { simple: true }) as Value);
  }

  /** All of the call's writes in one `BEGIN IMMEDIATE` transaction, or none of them. Nested calls join the outer one. */
  write<T>(call: () => T): T {
    if (this.readOnly) throw readOnlyError(this.path);
    if (this.#db.inTransaction) return call();
    return this.#guard(() => {
      this.run('BEGIN IMMEDIATE');
      try {
        const result = call();
        this.run('COMMIT');
        return result;
      } catch (error) {
        // After some errors (a full disk, say) SQLite has already rolled back.
        if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
        throw error;
      }
    });
  }

  /**
   * Like {@link write}, for work that can wait: returns null at once, and runs nothing, where another process writes.
   * Waiting for the lock would hold up the searches of this process.
   */
  writeIfFree<T>(call: () => T): { result: T } | null {
    const wait = this.pragma<number>('busy_timeout');
    this.pragma('busy_timeout = 0');
    try {
      return { result: this.write(call) };
    } catch (error) {
      if (error instanceof CorvidError && error.code === 'busy') return null;
      throw error;
    } finally {
      this.pragma(`busy_timeout = ${wait}`);
    }
  }

  /** Every read of the call sees the same state of the file. */
  read<T>(call: () => T): T {
    if (this.#db.inTransaction) return call();
    return this.#guard(() => {
      this.run('BEGIN');
      try {
        return call();
      } finally {
        if (this.#db.inTransaction) this.run('COMMIT');
      }
    });
  }

  close(): void {
    for (const statements of Object.values(this.#statements)) statements.clear();
    if (this.#db.open) this.#db.close();
  }

  #guard<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      throw mapError(error, this.path);
    }
  }
}
