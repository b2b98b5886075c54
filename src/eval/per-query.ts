import { forEachMetric, METRICS, type Metrics } from './metrics.js';
import { badLine, isObject, parseObject, quote, readLines, writeText } from './text-file.js';

/** Figures of one query: one line of a per-query file (JSON Lines). */
export interface PerQuery {
  set: string;
  query: string;
  metrics: Metrics;
}

/** @throws CorvidError `io` */
export function writePerQuery(path: string, entries: readonly PerQuery[]): void {
  writeText(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
}

/** @throws CorvidError `bad-collection` with file and line. */
export function readPerQuery(path: string): PerQuery[] {
  const hint = 'Name a file that an evaluation wrote for its queries (--per-query).';
  const seen = new Set<string>();
  return readLines(path, hint).map(({ number, text }) => {
    const place = { path, line: number };
    const { set, query, metrics } = parseObject(text, place);
    if (typeof set !== 'string' || typeof query !== 'string' || !isObject(metrics)) {
      throw badLine(place, `has not set, query and metrics: ${quote(text)}`, hint);
    }
    const key = JSON.stringify([set, query]);
    if (seen.has(key)) {
      throw badLine(
        place,
        `repeats query ${quote(query)} of set ${quote(set)}`,
        'Keep one of the two lines.',
      );
    }
    seen.add(key);
    const missing = METRICS.find((name) => !Number.isFinite(metrics[name]));
    if (missing !== undefined) {
      throw badLine(place, `has a ${missing} that is no number: ${quote(metrics[missing] ?? null)}`, hint);
    }
    return { set, query, metrics: forEachMetric((name) => Number(metrics[name])) };
  });
}
