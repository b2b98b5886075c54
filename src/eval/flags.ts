import { CorvidError, defaults, type FusionChoice, type StreamName } from '../index.js';
import type { EvaluateOptions } from './evaluate.js';
import { quote } from './text-file.js';

/** Options of `corvid eval`, as a command line gives them. */
export interface EvalFlags {
  /** One JSON object instead of a table. */
  json?: boolean | undefined;
  limit?: number | undefined;
  /** Names, each entry one or several separated by commas. */
  streams?: readonly string[] | undefined;
  embedder?: string | undefined;
  fusion?: string | undefined;
  /** Such as `lexical=1,vector=.5`. */
  weights?: string | undefined;
  prior?: boolean | undefined;
  /** Where the run goes: a file for one collection, a folder for several. */
  run?: string | undefined;
  /** Where the figures of every query go (JSON Lines). */
  perQuery?: string | undefined;
  /** Such a file of an earlier evaluation, to compare with. */
  compare?: string | undefined;
  /** Folder in which the temporary store is made. */
  storeDir?: string | undefined;
}

/**
 * Flags as options of an evaluation. Values whose meaning `search` knows are left for it to check.
 *
 * @throws CorvidError `invalid-argument`, `unknown-stream`
 */
export function toEvaluateOptions(flags: EvalFlags): EvaluateOptions {
  const streams = flags.streams && parseStreams(flags.streams);
  if (streams?.includes('vector') && (flags.embedder === undefined || flags.embedder === 'none')) {
    throw new CorvidError('unknown-stream', 'The stream "vector" needs an embedder.', {
      hint: 'Name one with --embedder, such as --embedder ollama.',
    });
  }
  return {
    limit: flags.limit,
    streams,
    embedder: flags.embedder,
    fusion: flags.fusion as FusionChoice | undefined,
    weights: flags.weights === undefined ? undefined : parseWeights(flags.weights),
    prior: flags.prior ? 'on' : 'off',
    storeDir: flags.storeDir,
  };
}

function parseStreams(entries: readonly string[]): StreamName[] {
  return entries
    .flatMap((entry) => entry.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map(assertStream);
}

/** `lexical=1,vector=.5` as a record. */
function parseWeights(text: string): Partial<Record<StreamName, number>> {
  const weights: Partial<Record<StreamName, number>> = {};
  for (const part of text.split(',')) {
    const [name = '', value = '', ...rest] = part.split('=').map((side) => side.trim());
    const weight = Number(value);
    if (name === '' || value === '' || rest.length > 0 || !Number.isFinite(weight) || weight < 0) {
      throw new CorvidError('invalid-argument', `--weights has a part ${quote(part)} in ${quote(text)}.`, {
        hint: 'Write stream=number with numbers of 0 or more, such as lexical=1,vector=.5.',
      });
    }
    weights[assertStream(name)] = weight;
  }
  return weights;
}

/** Only whether there is such a word; whether this version has the stream is for `search` to say. */
function assertStream(name: string): StreamName {
  const known = Object.keys(defaults.weights);
  if (!known.includes(name)) {
    throw new CorvidError('unknown-stream', `There is no stream ${quote(name)}.`, {
      hint: `Streams are: ${known.join(', ')}.`,
    });
  }
  return name as StreamName;
}
