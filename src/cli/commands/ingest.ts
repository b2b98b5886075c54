import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { IngestOptions, IngestSummary, Progress } from '../../index.js';
import { CliError } from '../cli-error.js';
import type { Verb } from '../command.js';
import { repeat, wholeNumber } from '../flags.js';
import { printableLine } from '../terminal.js';

const SHOWN_SKIPS = 5;

export const ingest: Verb = {
  name: 'ingest',
  arguments: '<path...>',
  summary: 'bring folders or files into the store, and keep them true',
  examples: ['corvid ingest ~/notes', 'corvid ingest docs README.md --tag manual --exclude "drafts/"'],
  flags: (command) =>
    command
      .option('--source <name>', 'name of the source; default the folder')
      .option('--tag <tag>', 'a tag for every item (repeatable)', repeat)
      .option('--include <glob>', 'only files that match, in the manner of .gitignore (repeatable)', repeat)
      .option('--exclude <glob>', 'leave out files that match (repeatable)', repeat)
      .option(
        '--max-bytes <n>',
        'pass over larger files; default 10485760',
        wholeNumber(1, Number.MAX_SAFE_INTEGER),
      )
      .option('--allow-empty', 'an empty folder removes what was ingested from it'),
  async run(session, paths, flags) {
    const { source, tag, include, exclude, maxBytes, allowEmpty } = flags;
    const options = {
      scope: session.scope,
      source,
      tags: tag,
      include,
      exclude,
      maxFileBytes: maxBytes,
      allowEmpty,
      signal: session.terminal.signal,
    };
    const given = Object.fromEntries(
      Object.entries(options).filter(([, value]) => value !== undefined),
    ) as IngestOptions;
    const places = paths.map((path) => resolve(session.terminal.cwd, path));
    for (const place of places) {
      // Looked at before a database is made for nothing.
      if (!existsSync(place)) {
        throw new CliError(`There is no folder or file ${place}.`, 'Check the path.', 1);
      }
    }
    const summaries = await session.withMemory({ create: true, embedder: true }, async (memory) => {
      const all: IngestSummary[] = [];
      for (const place of places) {
        const onProgress = progressLine((line) => session.out.progress(line));
        all.push(await memory.ingest(place, { ...given, onProgress }));
      }
      await session.finishEmbedding(memory);
      return all;
    });
    session.out.endProgress();
    if (session.flags.json) {
      session.out.json(summaries.length === 1 ? summaries[0] : summaries);
      return;
    }
    for (const summary of summaries) {
      session.out.line(
        `${printableLine(summary.source)}: ${summary.files} files: ${summary.added} added, ${summary.updated} updated, ${summary.renamed} renamed, ` +
          `${summary.unchanged} unchanged, ${summary.removed} removed (${summary.chunks} chunks, ${(summary.elapsedMs / 1000).toFixed(1)} s)`,
      );
      const shown = session.flags.verbose ? summary.skipped : summary.skipped.slice(0, SHOWN_SKIPS);
      for (const { path, reason, detail } of shown) {
        session.out.warn(
          `skipped ${printableLine(path)}: ${reason}${detail ? ` (${printableLine(detail)})` : ''}`,
        );
      }
      const rest = summary.skipped.length - shown.length;
      if (rest > 0) session.out.warn(`skipped ${rest} more; --verbose lists them`);
    }
  },
};

/** `120/1012 files · 800/s · 2 s left`. */
function progressLine(show: (line: string) => void): (progress: Progress) => void {
  const start = performance.now();
  return ({ phase, done, total, current }) => {
    const seconds = (performance.now() - start) / 1000;
    const rate = done / Math.max(seconds, 0.001);
    const left = total === undefined ? '' : ` · ${Math.ceil((total - done) / Math.max(rate, 0.001))} s left`;
    const file = current === undefined ? '' : ` · ${printableLine(current).slice(-40)}`;
    show(
      `${phase}: ${done}${total === undefined ? '' : `/${total}`} files · ${Math.round(rate)}/s${left}${file}`,
    );
  };
}
