import { z } from 'zod';
import { CorvidError, show } from '../errors.js';

/**
 * Checks a value against a schema and returns what the schema made of it. The error names the field, the
 * value and the remedy; a misspelt option is answered with the nearest right one.
 */
export function validate<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  let result: ReturnType<typeof schema.safeParse>;
  try {
    result = schema.safeParse(value);
  } catch (cause) {
    // Checking goes as deep as the value: cycles, and thousands of levels, end the stack.
    throw new CorvidError('invalid-argument', `${what} is nested too deeply, or holds itself.`, {
      hint: 'Give a plain value without cycles.',
      cause,
    });
  }
  if (result.success) return result.data;
  throw explain(deepest(result.error.issues[0]!), value, what, schema);
}

type Issue = z.core.$ZodIssue;

/** Inside a union, the branch that got furthest says most about what was meant. */
function deepest(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  let best: Issue = issue;
  for (const branch of issue.errors) {
    for (const inner of branch) {
      if (
        inner.code === 'unrecognized_keys' ||
        inner.path.length > 0 ||
        inner.code === 'too_small' ||
        inner.code === 'too_big'
      ) {
        best = { ...inner, path: [...issue.path, ...inner.path] };
        return deepest(best);
      }
    }
  }
  return best;
}

function explain(issue: Issue, root: unknown, what: string, schema: z.core.$ZodType): CorvidError {
  const path = issue.path.map(String).join('.');
  const value = issue.path.reduce<unknown>(
    (at, key) => (at === null || at === undefined ? undefined : (at as Record<PropertyKey, unknown>)[key]),
    root,
  );
  const field = path === '' ? what : path;
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0]!;
    const where = path === '' ? what : `${path} of ${what}`;
    const known = knownKeys(schema, issue.path);
    const near = nearest(key, known);
    return new CorvidError('unknown-option', `${where} has no option ${show(key)}.`, {
      hint: near
        ? `Did you mean ${show(near)}?`
        : known.length > 0
          ? `It knows: ${known.join(', ')}.`
          : 'Leave it out.',
    });
  }
  return new CorvidError('invalid-argument', `${field} must be ${wanted(issue)}, not ${show(value)}.`, {
    hint: `Give ${field} ${wanted(issue)}${path === '' || path === what ? '' : ` in ${what}`}.`,
  });
}

function wanted(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return article(issue.expected === 'int' ? 'whole number' : issue.expected);
    case 'invalid_value':
      return `one of ${issue.values.map((v) => show(v)).join(', ')}`;
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? 'not empty'
        : `${issue.inclusive ? 'at least' : 'above'} ${issue.minimum}`;
    case 'too_big':
      return `at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : issue.origin === 'array' ? ' entries' : ''}`;
    default:
      return issue.message.charAt(0).toLowerCase() + issue.message.slice(1);
  }
}

function article(noun: string): string {
  return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** The known name within two edits (or a third of its length) of a misspelt one. */
export function nearest(name: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}

/** The keys of the object schema at a path, looking through optional, nullable, array and union wrappers. */
function knownKeys(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return knownKeys(schema.unwrap(), path);
  if (schema instanceof z.ZodUnion) {
    return schema.options.flatMap((option: z.core.$ZodType) => knownKeys(option, path));
  }
  const [head, ...rest] = path;
  if (schema instanceof z.ZodObject) {
    if (head === undefined) return Object.keys(schema.shape);
    const next: z.core.$ZodType | undefined = schema.shape[String(head)];
    return next ? knownKeys(next, rest) : [];
  }
  if (schema instanceof z.ZodArray && head !== undefined) return knownKeys(schema.element, rest);
  return [];
}
