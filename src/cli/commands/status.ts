import type { Verb } from '../command.js';
import { printableLine } from '../terminal.js';

export const status: Verb = {
  name: 'status',
  summary: 'show what the store holds',
  examples: ['corvid status', 'corvid status --user oz --json'],
  async run(session) {
    const result = await session.withMemory({ create: false }, (memory) =>
      memory.status({ viewer: session.viewer }),
    );
    if (session.flags.json) {
      session.out.json(result);
      return;
    }
    const { items } = result;
    const kinds = Object.entries(items.byKind).filter(([, count]) => count > 0);
    const states = (['archived', 'superseded', 'expired'] as const).filter((state) => items[state] > 0);
    const rows: [string, string][] = [
      ['database', `${printableLine(result.path)}${result.readOnly ? ' (reading only)' : ''}`],
      ['size', `${(result.sizeBytes / 1024 / 1024).toFixed(1)} MiB`],
      [
        'items',
        [
          `${items.total}`,
          ...kinds.map(([kind, count]) => `${kind} ${count}`),
          ...states.map((s) => `${s} ${items[s]}`),
        ].join(' · '),
      ],
      ['chunks', `${result.chunks}`],
      [
        'vectors',
        `${result.embeddings.embedded} of ${result.chunks} chunks${result.embeddings.pending > 0 ? `, ${result.embeddings.pending} wait` : ''}`,
      ],
      ['embedder', result.embedder],
      ...(result.embeddings.lastError === null
        ? []
        : [
            ['failed', `${result.embeddings.failed}: ${printableLine(result.embeddings.lastError)}`] as [
              string,
              string,
            ],
          ]),
      [
        'schema',
        `${result.schemaVersion} (analyzer ${result.analyzerVersion}, journal ${result.journalMode})`,
      ],
      ...result.sources.map((source): [string, string] => [
        'source',
        `${printableLine(source.name)} · ${source.items} items`,
      ]),
    ];
    for (const [name, value] of rows) session.out.line(`${name.padEnd(10)}${value}`);
  },
};
