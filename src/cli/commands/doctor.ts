import type { Verb } from '../command.js';
import { printableLine } from '../terminal.js';

export const doctor: Verb = {
  name: 'doctor',
  summary: 'look whether file, index and vectors agree with the texts, and mend them',
  examples: ['corvid doctor', 'corvid doctor --deep --fix'],
  flags: (command) =>
    command
      .option('--deep', 'read every page and analyze every item, instead of a sample')
      .option('--fix', 'make index rows and vectors anew where they are wrong; texts are only read'),
  async run(session, _args, flags: { deep?: boolean; fix?: boolean }) {
    const report = await session.withMemory({ create: false, embedder: true }, (memory) =>
      memory.doctor({
        deep: flags.deep,
        fix: flags.fix,
        signal: session.terminal.signal,
        onProgress: ({ phase, done, total }) => session.out.progress(`${phase} ${done}/${total ?? '?'}`),
      }),
    );
    session.out.endProgress();
    if (session.flags.json) {
      session.out.json(report);
    } else {
      for (const { name, ok, found, remedy } of report.checks)
        session.out.line(
          `${ok ? 'ok   ' : 'FAIL '}${name.padEnd(11)}${printableLine(found)}${remedy === '' ? '' : ` ${remedy}`}`,
        );
      if (flags.fix)
        session.out.line(
          `${report.fixed.items} items indexed anew, ${report.fixed.vectors} vectors taken out to be made anew.`,
        );
    }
    if (!report.ok) session.markFailed();
  },
};
