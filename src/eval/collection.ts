import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { CorvidError } from '../index.js';
import { type DocumentHeader, documentHeader, metaText } from './document-header.js';
import type { Judgments } from './metrics.js';
import { badLine, isFolder, isObject, type Place, parseObject, quote, readLines } from './text-file.js';

export interface CollectionDocument {
  id: string;
  title: string | null;
  text: string;
  /** Only queries of the same scope may find it. */
  scope: string | null;
  header: DocumentHeader;
}

export interface CollectionQuery {
  id: string;
  text: string;
  scope: string | null;
  /** The group whose figures it counts in. */
  category: string | null;
}

/** A labelled collection. */
export interface Collection {
  /** Name of its folder. */
  name: string;
  documents: CollectionDocument[];
  queries: CollectionQuery[];
  /** Query id → judgments above 0. A query without any is not in it; a document that is not in the corpus may be. */
  judgments: Map<string, Judgments>;
}

const FORMAT =
  'A collection is a folder with corpus.jsonl ({"id","title"?,"text","meta"?}), queries.jsonl ({"id","text","meta"?}) and qrels.tsv (header; query id, document id, relevance, separated by tabs).';

/**
 * Loads a labelled collection. Judgments of queries that `queries.jsonl` does not hold are passed over, so that a
 * part of a collection can be taken with the whole `qrels.tsv`.
 *
 * @throws CorvidError `no-such-file`, or `bad-collection` with file and line.
 */
export function loadCollection(dir: string): Collection {
  if (!existsSync(dir)) {
    throw new CorvidError('no-such-file', `There is no folder ${quote(dir)}.`, { hint: FORMAT });
  }
  if (!isFolder(dir)) {
    throw new CorvidError('bad-collection', `${quote(dir)} is not a folder.`, { hint: FORMAT });
  }
  const collection: Collection = {
    name: basename(resolve(dir)),
    documents: readObjects(join(dir, 'corpus.jsonl'), toDocument),
    queries: readObjects(join(dir, 'queries.jsonl'), toQuery),
    judgments: readJudgments(join(dir, 'qrels.tsv')),
  };
  if (!collection.queries.some((query) => collection.judgments.has(query.id))) {
    throw new CorvidError('bad-collection', `${join(dir, 'qrels.tsv')} judges no query of queries.jsonl.`, {
      hint: 'Write at least one line with a relevance above 0; query ids must be the same in both files.',
    });
  }
  return collection;
}

/** Every line as an object with an id of its own. */
function readObjects<T extends { id: string }>(
  path: string,
  make: (object: Record<string, unknown>, id: string, place: Place) => T,
): T[] {
  const lineOf = new Map<string, number>();
  return readLines(path, FORMAT).map(({ number, text }) => {
    const place = { path, line: number };
    const object = parseObject(text, place);
    const id = object.id;
    if (typeof id !== 'string' || id === '') {
      throw badLine(
        place,
        id === undefined ? 'has no id' : `has an id that is no text: ${quote(id)}`,
        'Write "id" as a string that is not empty.',
      );
    }
    const first = lineOf.get(id);
    if (first !== undefined) {
      throw badLine(
        place,
        `repeats the id ${quote(id)} of line ${first}`,
        'Give every line an id of its own.',
      );
    }
    lineOf.set(id, number);
    return make(object, id, place);
  });
}

function toDocument(object: Record<string, unknown>, id: string, place: Place): CollectionDocument {
  const meta = metaOf(object, place);
  const title = textOf(object, 'title', place) ?? '';
  return {
    id,
    title: title.trim() === '' ? null : title,
    text: textOf(object, 'text', place) ?? '',
    scope: metaText(meta, 'scope', place),
    header: documentHeader(meta, place),
  };
}

function toQuery(object: Record<string, unknown>, id: string, place: Place): CollectionQuery {
  const meta = metaOf(object, place);
  const text = textOf(object, 'text', place);
  if (text === null) throw badLine(place, 'has no text', 'Write the question as "text".');
  return { id, text, scope: metaText(meta, 'scope', place), category: metaText(meta, 'category', place) };
}

function textOf(object: Record<string, unknown>, name: string, place: Place): string | null {
  const value = object[name] ?? null;
  if (value === null || typeof value === 'string') return value;
  throw badLine(place, `has a ${name} that is no text: ${quote(value)}`, `Write "${name}" as a string.`);
}

function metaOf(object: Record<string, unknown>, place: Place): Record<string, unknown> {
  const meta = object.meta ?? {};
  if (isObject(meta)) return meta;
  throw badLine(place, `has a meta that is no object: ${quote(meta)}`, 'Write "meta" as an object.');
}

function readJudgments(path: string): Map<string, Judgments> {
  const judgments = new Map<string, Map<string, number>>();
  const columns = 'Write: query id, TAB, document id, TAB, relevance; the first line is a header.';
  readLines(path, FORMAT).forEach(({ number, text }, i) => {
    const place = { path, line: number };
    const [query, document, value] = text.split('\t').map((cell) => cell.trim());
    if (query === undefined || document === undefined || value === undefined || !query || !document) {
      throw badLine(place, `has not three columns: ${quote(text)}`, columns);
    }
    const relevance = value === '' ? Number.NaN : Number(value);
    if (i === 0) {
      // Passing over the first line whatever it says would lose a judgment.
      if (Number.isFinite(relevance)) throw badLine(place, `is no header: ${quote(text)}`, columns);
      return;
    }
    if (!Number.isFinite(relevance)) {
      throw badLine(place, `has a relevance that is no number: ${quote(value)}`, columns);
    }
    if (relevance <= 0) return;
    const ofQuery = judgments.get(query) ?? new Map<string, number>();
    const earlier = ofQuery.get(document);
    if (earlier !== undefined && earlier !== relevance) {
      throw badLine(
        place,
        `judges document ${quote(document)} for query ${quote(query)} as ${relevance}, an earlier line as ${earlier}`,
        'Keep one of the two lines.',
      );
    }
    judgments.set(query, ofQuery.set(document, relevance));
  });
  return judgments;
}
