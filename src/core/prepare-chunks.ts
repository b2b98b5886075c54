import { hash } from 'node:crypto';
import type { Analyzer, ChunkSpan, IndexedText, LexicalRow } from '../contracts/index.js';
import { chunkText } from './chunk/chunk-text.js';
import { formatOf } from './chunk/format-of.js';
import { type HeaderInput, makeHeader } from './header.js';

/** What of an item its chunks depend on. */
export interface ChunkSource extends Omit<HeaderInput, 'headingPath'> {
  title: string | null;
  text: string;
}

/** A chunk with everything that is derived from it. */
export interface ReadyChunk extends ChunkSpan {
  /** Where the chunk stands in the text as UTF-8. */
  byteStart: number;
  byteLength: number;
  /** Hash of what the embedder gets: header and text. */
  inputHash: Buffer;
  row: LexicalRow;
}

/** Cuts an item into chunks and analyzes them. An item without text has one empty chunk: its title and header. */
export function prepareChunks(item: ChunkSource, analyzer: Analyzer): ReadyChunk[] {
  const title = analyzer.index(item.title ?? '');
  const headerOf = headerAnalysis(item, analyzer);
  let at = 0;
  let bytes = 0;
  return spansOf(item).map((span) => {
    const text = item.text.slice(span.start, span.end);
    const byteStart = bytes + Buffer.byteLength(item.text.slice(at, span.start));
    const byteLength = Buffer.byteLength(text);
    at = span.end;
    bytes = byteStart + byteLength;
    const body = analyzer.index(text);
    const header = headerOf(span.headingPath);
    return {
      ...span,
      byteStart,
      byteLength,
      inputHash: hash('sha256', embeddingInput(item, span, text), 'buffer').subarray(0, 16),
      row: {
        title: title.words,
        body: body.words,
        exact: [title.exact, body.exact, header.exact].filter((part) => part !== '').join(' '),
        header: header.words,
      },
    };
  });
}

/** Analyzes headers part by part: the chunks of an item share all but their headings, and neighbours share these too. */
function headerAnalysis(
  item: ChunkSource,
  analyzer: Analyzer,
): (headingPath: readonly string[]) => IndexedText {
  const known = new Map<string, IndexedText>();
  const analyze = (part: string) => {
    let analyzed = known.get(part);
    if (!analyzed) {
      analyzed = analyzer.index(part);
      known.set(part, analyzed);
    }
    return analyzed;
  };
  return (headingPath) => {
    const parts = makeHeader({ ...item, headingPath }, 'lexical').map(analyze);
    const join = (field: keyof IndexedText) =>
      parts
        .map((part) => part[field])
        .filter((terms) => terms !== '')
        .join(' ');
    return { words: join('words'), exact: join('exact') };
  };
}

/** The text that an embedder gets for a chunk: title and header, then the passage. */
export function embeddingInput(
  item: ChunkSource,
  span: Pick<ChunkSpan, 'headingPath'>,
  text: string,
): string {
  const header = makeHeader({ ...item, headingPath: span.headingPath }, 'embedding').join(' | ');
  return [item.title ?? '', header, text].filter((part) => part !== '').join('\n');
}

function spansOf(item: ChunkSource): readonly ChunkSpan[] {
  const spans = chunkText(item.text, formatOf(item.kind, item.uri));
  return spans.length > 0 ? spans : [{ ordinal: 0, start: 0, end: 0, headingPath: [] }];
}
