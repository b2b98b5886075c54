import type { ItemPatch, Json, NewItem, ScopeInput } from '../contracts/index.js';
import { defaults } from '../core/defaults.js';
import { toItemId, uuidv7 } from '../core/ids.js';
import { resolveScope } from '../core/scope.js';
import { cleanText } from '../core/text.js';
import { toTime, toTimeOrNull } from '../core/time.js';
import { CorvidError } from '../errors.js';
import type { ItemRecord } from '../store/item-record.js';

/** A new item as it will be stored: defaults filled in, times and ids in one form, texts cleaned. */
export function toRecord(input: NewItem, base: ScopeInput | undefined, now: number): ItemRecord {
  const title = textOrNull(input.title);
  const text = cleanText(input.text ?? '');
  if (title === null && text.trim() === '') {
    throw new CorvidError('invalid-argument', 'The item has neither text nor title.', {
      hint: 'Give it a text.',
    });
  }
  return {
    id: input.id === undefined ? uuidv7(now) : toItemId(input.id),
    scope: resolveScope(input.scope, base),
    kind: input.kind ?? 'memory',
    title,
    text,
    uri: textOrNull(input.uri),
    source: input.source ?? null,
    importance: input.importance ?? defaults.item.importance,
    strength: input.strength ?? defaults.item.strength,
    pinned: input.pinned ?? false,
    createdAt: input.createdAt === undefined ? now : toTime(input.createdAt, 'createdAt'),
    occurredAt: toTimeOrNull(input.occurredAt, 'occurredAt'),
    expiresAt: toTimeOrNull(input.expiresAt, 'expiresAt'),
    tags: cleanList(input.tags),
    header: {
      speaker: textOrNull(input.speaker),
      author: textOrNull(input.author),
      keywords: cleanList(input.keywords),
      date: textOrNull(input.date),
    },
    meta: cleanMeta(input.meta),
    fileHash: null,
  };
}

/** A stored item with a patch applied. */
export function applyPatch(record: ItemRecord, patch: ItemPatch): ItemRecord {
  const keep = <T>(value: T | undefined, old: T): T => (value === undefined ? old : value);
  const text = (value: string | null | undefined, old: string | null) =>
    value === undefined ? old : textOrNull(value);
  const time = (value: ItemPatch['expiresAt'], old: number | null, field: string) =>
    value === undefined ? old : toTimeOrNull(value, field);
  const list = (value: readonly string[] | undefined, old: string[]) =>
    value === undefined ? old : cleanList(value);
  const patched: ItemRecord = {
    ...record,
    title: text(patch.title, record.title),
    text: patch.text === undefined ? record.text : cleanText(patch.text ?? ''),
    uri: text(patch.uri, record.uri),
    kind: keep(patch.kind, record.kind),
    importance: keep(patch.importance, record.importance),
    strength: keep(patch.strength, record.strength),
    pinned: keep(patch.pinned, record.pinned),
    occurredAt: time(patch.occurredAt, record.occurredAt, 'occurredAt'),
    expiresAt: time(patch.expiresAt, record.expiresAt, 'expiresAt'),
    tags: list(patch.tags, record.tags),
    header: {
      speaker: text(patch.speaker, record.header.speaker),
      author: text(patch.author, record.header.author),
      keywords: list(patch.keywords, record.header.keywords),
      date: text(patch.date, record.header.date),
    },
    meta: patch.meta === undefined ? record.meta : cleanMeta(patch.meta ?? {}),
  };
  if (patched.title === null && patched.text.trim() === '') {
    throw new CorvidError('invalid-argument', 'The change leaves the item with neither text nor title.', {
      hint: 'Keep one of them, or remove the item.',
    });
  }
  return patched;
}

/** Whether two records say the same, whatever order their meta keys have. */
export function sameRecord(a: ItemRecord, b: ItemRecord): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function textOrNull(text: string | null | undefined): string | null {
  if (text === undefined || text === null) return null;
  const clean = cleanText(text);
  return clean.trim() === '' ? null : clean;
}

function cleanList(values: readonly string[] | undefined): string[] {
  const clean = (values ?? []).map((value) => cleanText(value).trim()).filter((value) => value !== '');
  return [...new Set(clean)];
}

/** A copy that is safe to keep: later changes of the caller's object do not reach it. */
function cleanMeta(meta: { readonly [key: string]: Json } | undefined): { [key: string]: Json } {
  try {
    return JSON.parse(JSON.stringify(meta ?? {})) as { [key: string]: Json };
  } catch (cause) {
    throw new CorvidError(
      'invalid-argument',
      `meta cannot be written as JSON: ${(cause as Error).message.split('\n')[0]}.`,
      {
        hint: 'Give a JSON object without cycles, nested less deeply.',
        cause,
      },
    );
  }
}
