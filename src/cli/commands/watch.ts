import { resolve } from 'node:path';
import type { IngestSummary } from '../../index.js';
import type { Verb } from '../command.js';
import { repeat } from '../flags.js';
import { printableLine } from '../terminal.js';

export const watch: Verb = {
  name: 'watch',
  arguments: '<path>',
  summary: 'ingest a folder, and again whenever something in it changes; Ctrl-C ends it',
  examples: ['corvid watch ~/notes', 'corvid watch docs --tag manual --poll'],
  flags: (command) =>
    command
      .option('--source <name>', 'name of the source; default the folder')
      .option('--tag <tag>', 'a tag for every item (repeatable)', repeat)
      .option('--include <glob>', 'only files that match, in the manner of .gitignore (repeatable)', repeat)
      .option('--exclude <glob>', 'leave out files that match (repeatable)', repeat)
      .option('--allow-empty', 'an empty folder removes what was ingested from it')
      .option('--poll', 'look at the files again and again, where the system reports no changes'),
  async run(session, [path], flags) {
    const { source, tag, include, exclude, allowEmpty, poll } = flags as {
      source?: string;
      tag?: string[];
      include?: string[];
      exclude?: string[];
      allowEmpty?: boolean;
      poll?: boolean;
    };
    await session.withMemory({ create: true, embedder: true }, (memory) =>
      memory.watch(resolve(session.terminal.cwd, path!), {
        scope: session.scope,
        source,
        tags: tag,
        include,
        exclude,
        allowEmpty,
        usePolling: poll,
        signal: session.terminal.signal,
        onSync: (summary) => {
          if (session.flags.json) session.out.json(summary, { oneLine: true });
          else if (changed(summary)) session.out.line(lineOf(summary));
        },
        onError: (error) => session.out.warn(`corvid: ${printableLine((error as Error).message)}`),
      }),
    );
  },
};

function changed(summary: IngestSummary): boolean {
  return summary.added + summary.updated + summary.renamed + summary.removed > 0;
}

function lineOf({ source, added, updated, renamed, removed }: IngestSummary): string {
  return `${printableLine(source)}: ${added} added, ${updated} updated, ${renamed} renamed, ${removed} removed`;
}
