import type { ReadRecord } from '../../contracts/index.js';
import { JsonObject } from './json-object.js';

/** Whether a line is one of a transcript: it says who, what and when. */
export function isTranscriptLine(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return (
      typeof value === 'object' &&
      value !== null &&
      'speaker' in value &&
      typeof value.speaker === 'string' &&
      'text' in value &&
      typeof value.text === 'string' &&
      'at' in value
    );
  } catch {
    return false;
  }
}

/**
 * A message: `speaker`, `text`, `at` (an instant), and what else the line says, such as `session`, in its meta.
 *
 * @throws Error with what is wrong with the line.
 */
export function readTranscriptLine(line: string): ReadRecord {
  const fields = new JsonObject(line);
  const id = fields.id();
  const speaker = fields.text('speaker');
  const text = fields.text('text');
  const occurredAt = fields.time('at');
  if (!speaker?.trim()) throw new Error('no speaker');
  if (!text?.trim()) throw new Error('no text');
  if (occurredAt === undefined) throw new Error('no at');
  const item = { kind: 'message' as const, speaker, text, occurredAt, meta: fields.rest() };
  return id === undefined ? { item } : { id, item };
}
