import type { Connection } from './connection.js';
import { kindCode } from './kinds.js';

/** A stretch of a conversation: the chunks of two of its messages. */
export interface Stretch {
  conversation: number;
  from: number;
  to: number;
}

/** Where messages stand in their conversation. A conversation is the messages of one scope, in the order of arrival. */
export class Conversations {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** How many messages of the same conversation lie between; what others wrote meanwhile does not count. */
  messagesBetween(stretches: readonly Stretch[]): number[] {
    if (stretches.length === 0) return [];
    return this.#connection.values<number>(
      `SELECT (SELECT count(DISTINCT v.item_key) FROM visibility v
         WHERE v.chunk > s.value ->> 'from' AND v.chunk < s.value ->> 'to' AND v.scope_id = s.value ->> 'conversation'
           AND v.kind = ${kindCode('message')})
       FROM json_each(?) AS s`,
      JSON.stringify(stretches),
    );
  }
}
