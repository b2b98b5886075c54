import type { RecordLine, RecordsReader } from '../../contracts/index.js';
import { splitLines } from '../../core/chunk/lines.js';
import { readItemLine } from './item-line.js';
import { isTranscriptLine, readTranscriptLine } from './transcript-line.js';

/**
 * JSON Lines: every line that is not blank is an item of its own, with the fields of a new item, or, in a file
 * whose first line has `speaker`, `text` and `at`, a message of a transcript.
 */
export const jsonLinesReader: RecordsReader = {
  name: 'json-lines',
  extensions: ['.jsonl', '.ndjson'],
  *records({ text }): Generator<RecordLine> {
    const { starts, ends } = splitLines(text, 0);
    let kind: 'item' | 'message' | undefined;
    for (let i = 0; i < starts.length; i++) {
      const line = text.slice(starts[i], ends[i]).trim();
      if (line === '') continue;
      kind ??= isTranscriptLine(line) ? 'message' : 'item';
      const read = kind === 'message' ? readTranscriptLine : readItemLine;
      // The same line means something else in a file of the other kind.
      yield { line: i + 1, content: `${kind} ${line}`, read: () => read(line) };
    }
  },
};
