import { CliError } from '../cli-error.js';
import type { Verb } from '../command.js';
import { repeat, wholeNumber } from '../flags.js';

export const evaluate: Verb = {
  name: 'eval',
  arguments: '<dir...>',
  summary: 'measure retrieval on labelled collections',
  examples: [
    'corvid eval collections/scifact',
    'corvid eval a b --streams lexical --per-query now.jsonl --compare before.jsonl --json',
  ],
  flags: (command) =>
    command
      .option('-n, --limit <n>', 'hits asked for a query; default 100', wholeNumber(1, 1000))
      .option(
        '--streams <names>',
        'streams that take part, separated by commas (repeatable); default all',
        repeat,
      )
      .option('--fusion <name>', 'rrf or convex')
      .option('--weights <list>', 'weights of the streams: lexical=1,vector=0.5')
      .option('--prior', 'let age and pins count')
      .option('--run <path>', 'write the run in TREC form: a file for one set, a folder for several')
      .option('--per-query <file>', 'write the figures of every query as JSON Lines')
      .option('--compare <file>', 'compare with the figures of an earlier --per-query file'),
  async run(session, dirs, flags) {
    if (session.flags.db !== undefined) {
      throw new CliError('eval takes no --db: it measures in a temporary store.', 'Leave --db out.');
    }
    const { runEval } = await import('../../eval/command.js');
    const { terminal, out } = session;
    const { streams, fusion, weights, prior, run, perQuery, compare } = flags;
    const given = {
      json: session.flags.json,
      limit: session.flags.limit,
      streams,
      embedder: session.settings.values.embedder,
      fusion,
      weights,
      prior,
      run,
      perQuery,
      compare,
    };
    await runEval(
      dirs,
      Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      {
        stdout: (text) => void terminal.stdout.write(text),
        stderr: (text) => {
          out.endProgress();
          terminal.stderr.write(text);
        },
        progress: (line) => out.progress(line),
        signal: terminal.signal,
      },
    );
  },
};
