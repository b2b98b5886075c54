import { randomBytes } from 'node:crypto';
import type { ScopeId } from '../contracts/index.js';
import { CorvidError, show } from '../errors.js';

const MAX_ID_LENGTH = 512;

/**
 * An id as text. Safe integers and bigints become exact decimal strings; other numbers are refused, since
 * two of them may be one after rounding.
 */
export function toId(value: ScopeId, field: string): string {
  if (typeof value === 'string') {
    if (value.length > MAX_ID_LENGTH) {
      throw new CorvidError(
        'invalid-argument',
        `${field} is ${value.length} characters long: ${show(value)}.`,
        {
          hint: `Use at most ${MAX_ID_LENGTH} characters.`,
        },
      );
    }
    if (!value.isWellFormed()) {
      throw new CorvidError('invalid-argument', `${field} holds half of a surrogate pair: ${show(value)}.`, {
        hint: 'Use well-formed Unicode text.',
      });
    }
    return value;
  }
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  throw new CorvidError(
    'invalid-argument',
    `${field} must be a string, a safe integer or a bigint, not ${show(value)}.`,
    {
      hint: 'Pass large numbers as strings or bigints.',
    },
  );
}

/** An id that names an item: as {@link toId}, and not empty. */
export function toItemId(value: ScopeId): string {
  const id = toId(value, 'id');
  if (id === '') {
    throw new CorvidError('invalid-argument', 'id is empty.', { hint: 'Leave it out to get a new one.' });
  }
  return id;
}

/** A new UUID version 7 (RFC 9562): 48 bits of epoch milliseconds, then random bits, so ids sort by creation. */
export function uuidv7(nowMs: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Math.min(Math.max(0, Math.trunc(nowMs)), 2 ** 48 - 1), 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
