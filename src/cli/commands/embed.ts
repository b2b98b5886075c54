import type { EmbedResult, LongOperation, Memory } from '../../index.js';
import { CliError } from '../cli-error.js';
import type { Verb } from '../command.js';
import type { Session } from '../session.js';

/** A verb that waits for vectors and says how many there are. */
function embedVerb(o: {
  name: string;
  summary: string;
  examples: readonly string[];
  call(memory: Memory, options: LongOperation): Promise<EmbedResult>;
}): Verb {
  return {
    name: o.name,
    summary: o.summary,
    examples: o.examples,
    async run(session) {
      requireEmbedder(session);
      const result = await session.withMemory({ create: false, embedder: true }, (memory) =>
        o.call(memory, {
          signal: session.terminal.signal,
          onProgress: ({ done, total }) => session.out.progress(`${done}/${total ?? '?'} chunks embedded`),
        }),
      );
      session.out.endProgress();
      if (session.flags.json) session.out.json(result);
      else session.out.line(`${result.embedded} of ${result.total} chunks have vectors.`);
      if (result.pending > 0) {
        session.out.warn(
          `${result.pending} chunks wait for the embedder${result.failed > 0 ? ` (${result.failed} failed)` : ''}.`,
        );
        session.markFailed();
      }
    },
  };
}

function requireEmbedder(session: Session): void {
  const { embedder } = session.settings.values;
  if (embedder !== undefined && embedder !== 'none') return;
  throw new CliError(
    'No embedder is configured.',
    'Name one with --embedder, such as --embedder ollama, or set CORVID_EMBEDDER.',
  );
}

export const embed = embedVerb({
  name: 'embed',
  summary: 'make the vectors that are missing, and try failed texts again',
  examples: ['corvid embed --embedder ollama', 'CORVID_EMBEDDER=ollama:bge-m3 corvid embed --json'],
  call: (memory, options) => memory.embed(options),
});

export const drain = embedVerb({
  name: 'drain',
  summary: 'wait until the vectors that are due are made; failed texts stay for later',
  examples: ['corvid drain --embedder ollama'],
  async call(memory, options) {
    await memory.drain(options);
    const { embeddings, chunks } = await memory.status();
    return { ...embeddings, total: chunks };
  },
});

export const reembed = embedVerb({
  name: 'reembed',
  summary: 'build the vectors of another embedder, then switch to them',
  examples: [
    'corvid reembed --embedder ollama:bge-m3',
    'corvid reembed --embedder ollama:bge-m3 --former-embedder openai',
  ],
  call: (memory, options) => memory.reembed(options),
});
