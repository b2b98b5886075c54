import { Option } from 'commander';
import type { SearchOptions, StreamName } from '../../index.js';
import type { Verb } from '../command.js';
import { addFilterFlags, choices, wholeNumber } from '../flags.js';
import { renderHits } from '../render/hits.js';
import { readAll } from '../terminal.js';
import { filterFrom } from './filter.js';

const STREAMS = ['lexical', 'exact', 'vector', 'entity', 'graph'] as const;

export const search: Verb = {
  name: 'search',
  arguments: '<text...>',
  summary: 'find the items that matter most to a text; - reads it from standard input',
  examples: [
    'corvid search "which theme does Oz like?" --user oz',
    'corvid search flush_tile_cache --kind document --explain',
    'corvid search "kiln temperature" -n 3 --json',
  ],
  flags: (command) =>
    addFilterFlags(command)
      .option('-n, --limit <n>', 'how many hits, 1 to 1000; default 10', wholeNumber(1, 1000))
      .option('--offset <n>', 'how many hits to pass over', wholeNumber(0, 100_000))
      .addOption(choices('--stream <name>', `only this stream: ${STREAMS.join(', ')} (repeatable)`, STREAMS))
      .addOption(
        new Option('--group-by <what>', 'one hit an item, or one a chunk').choices(['item', 'chunk']),
      )
      .addOption(new Option('--prior <state>', 'whether age and pins count').choices(['on', 'off']))
      .addOption(
        new Option(
          '--syntax <name>',
          'text (default), or advanced: AND, OR, -word, begin*, title:word',
        ).choices(['text', 'advanced']),
      )
      .option('--as-of <date>', 'search what was current then')
      .option('--explain', 'show where each hit comes from')
      .option('--no-touch', 'do not count the hits as used')
      .option('--strict', 'end with code 3 when a part could not take part')
      .option('--jsonl', 'print one hit as JSON a line'),
  async run(session, args, flags) {
    const text = args.length === 1 && args[0] === '-' ? await readAll(session.terminal) : args.join(' ');
    const { limit, touch } = session.settings.values;
    const given = flags as {
      offset?: number;
      stream?: StreamName[];
      groupBy?: 'item' | 'chunk';
      prior?: 'on' | 'off';
      asOf?: string;
      syntax?: 'text' | 'advanced';
      explain?: boolean;
    };
    const options: SearchOptions = {
      viewer: session.viewer,
      limit,
      touch,
      offset: given.offset,
      streams: given.stream,
      groupBy: given.groupBy,
      prior: given.prior,
      asOf: given.asOf,
      syntax: given.syntax,
      explain: given.explain,
      ...filterFrom(flags),
      signal: session.terminal.signal,
    };
    const result = await session.withMemory({ create: false, embedder: true }, (memory) =>
      memory.search(text, options),
    );
    if (session.flags.json) session.out.json(result);
    else if (session.flags.jsonl) for (const hit of result.hits) session.out.json(hit, { oneLine: true });
    else renderHits(session.out, result);
    for (const { stream, reason, hint } of result.degraded) {
      session.out.warn(`degraded: ${stream}: ${reason}${hint ? ` (${hint})` : ''}`);
      session.markDegraded();
    }
  },
};
