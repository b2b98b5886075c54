import type { Item } from '../../index.js';
import { type Output, printable, printableLine } from '../terminal.js';

const LINE_CHARS = 100;

/** An item on one line: id, kind, date, and how it begins. */
export function renderItemLine(out: Output, item: Item): void {
  const text = printableLine(`${item.title ?? ''} ${item.text.slice(0, 4 * LINE_CHARS)}`);
  const short = text.length > LINE_CHARS ? `${text.slice(0, LINE_CHARS - 1)}…` : text;
  const state = item.state === 'active' ? '' : ` [${item.state}]`;
  out.line(
    `${printableLine(item.id)}  ${out.dim(`${item.kind} ${dateOf(item.createdAt)}${state}`)}  ${short}`,
  );
}

/** An item with all that is not at its default. */
export function renderItem(out: Output, item: Item): void {
  out.line(out.bold(printableLine(item.title ?? item.id)));
  const { scope } = item;
  const who = [scope.user && `user ${scope.user}`, scope.room && `room ${scope.room}`]
    .filter(Boolean)
    .join(', ');
  const rows: [string, string | null][] = [
    ['id', item.id],
    [
      'kind',
      `${item.kind}${item.state === 'active' ? '' : ` (${item.state})`}${item.pinned ? ', pinned' : ''}`,
    ],
    ['scope', `${scope.workspace}/${scope.project}, ${scope.visibility}${who ? ` (${who})` : ''}`],
    ['uri', item.uri],
    ['source', item.source],
    ['tags', item.tags.join(', ') || null],
    ['speaker', item.speaker],
    ['author', item.author],
    ['created', new Date(item.createdAt).toISOString()],
    ['occurred', item.occurredAt === null ? item.date : new Date(item.occurredAt).toISOString()],
    ['expires', item.expiresAt === null ? null : new Date(item.expiresAt).toISOString()],
    ['used', item.accesses > 0 ? `${item.accesses} times` : null],
    ['meta', Object.keys(item.meta).length > 0 ? JSON.stringify(item.meta) : null],
  ];
  for (const [name, value] of rows)
    if (value !== null) out.line(out.dim(`${name.padEnd(10)}${printableLine(value)}`));
  if (item.text !== '') out.line(`\n${printable(item.text.replace(/\r\n?/g, '\n'))}`);
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
