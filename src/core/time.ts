import type { TimeInput } from '../contracts/index.js';
import { CorvidError, show } from '../errors.js';

/** The largest instant a `Date` can hold, epoch milliseconds. */
const MAX_TIME = 8_640_000_000_000_000;
const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Epoch milliseconds of an instant as callers give it. A date without a time is its midnight in UTC. */
export function toTime(value: TimeInput, field: string): number {
  if (typeof value === 'string') {
    const match = ISO.exec(value);
    if (match && value.length > 10 && match[1] === undefined) {
      throw new CorvidError('invalid-argument', `${field} has a time but no offset: ${show(value)}.`, {
        hint: `Write the offset, such as ${show(`${value}Z`)}.`,
      });
    }
    const time = match && isDay(value) ? Date.parse(value.replace(' ', 'T')) : Number.NaN;
    if (Number.isNaN(time)) {
      throw new CorvidError('invalid-argument', `${field} is not a date: ${show(value)}.`, {
        hint: 'Use ISO 8601, such as 2031-07-19 or 2031-07-19T10:30:00Z.',
      });
    }
    return time;
  }
  const time = value instanceof Date ? value.getTime() : value;
  if (typeof time !== 'number' || !Number.isFinite(time) || Math.abs(time) > MAX_TIME) {
    throw new CorvidError('invalid-argument', `${field} is not an instant: ${show(value)}.`, {
      hint: 'Use epoch milliseconds, a Date, or an ISO 8601 string.',
    });
  }
  return Math.trunc(time);
}

/** Whether the day exists: `Date.parse` makes the second of March of the thirtieth of February. */
function isDay(iso: string): boolean {
  const day = iso.slice(0, 10);
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/** As {@link toTime}, with null for null or undefined. */
export function toTimeOrNull(value: TimeInput | null | undefined, field: string): number | null {
  return value === null || value === undefined ? null : toTime(value, field);
}
