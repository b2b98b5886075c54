import type { Json } from '../../contracts/index.js';

/** The fields that say when a note was written, most telling first. */
export const DATE_FIELDS = ['updated', 'date', 'created'] as const;

const ISO =
  /^(\d{4}-\d{2}-\d{2})(?:[T ]+(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;
const MAX_TIME = 8_640_000_000_000_000;

/** When a note was written, in epoch milliseconds, by the first of its date fields that can be read. */
export function authoredAt(frontmatter: { readonly [key: string]: Json }): number | undefined {
  for (const field of DATE_FIELDS) {
    const time = toInstant(frontmatter[field]);
    if (time !== undefined) return time;
  }
  return undefined;
}

function toInstant(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return fromNumber(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^\d{9,16}$/.test(text)) return fromNumber(Number(text));
  const match = ISO.exec(text);
  if (!match) return undefined;
  const [, day = '', time = '00:00', zone = 'Z'] = match;
  // A note's date mostly has no offset; read as UTC it is the same on every machine.
  const offset = /^[+-]\d{2}$/.test(zone)
    ? `${zone}:00`
    : zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2').toUpperCase();
  const instant = Date.parse(`${day}T${time}${offset}`);
  return Number.isNaN(instant) ? undefined : instant;
}

/** Epoch milliseconds; ten digits are epoch seconds; less is a year or a count, and no instant. */
function fromNumber(value: number): number | undefined {
  if (!Number.isFinite(value) || value < 1e9) return undefined;
  const time = Math.trunc(value < 1e10 ? value * 1000 : value);
  return time <= MAX_TIME ? time : undefined;
}
