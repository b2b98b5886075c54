import type { Verb } from '../command.js';
import type { Setting } from '../settings.js';

export const config: Verb = {
  name: 'config',
  summary: 'show each setting and where it comes from',
  examples: ['corvid config', 'CORVID_USER=oz corvid config --json'],
  async run({ settings, flags, out, terminal }) {
    const { defaultDatabasePath } = await import('../../index.js');
    const found = defaultDatabasePath({ cwd: terminal.cwd, env: terminal.env });
    const list = settings.list.map(
      (setting): Setting =>
        setting.name === 'db' && setting.value === null
          ? { ...setting, value: found, origin: 'found' }
          : setting,
    );
    if (flags.json) {
      out.json({ settings: list });
      return;
    }
    for (const { name, value, origin } of list) {
      const shown =
        value === null || (Array.isArray(value) && value.length === 0)
          ? '–'
          : Array.isArray(value)
            ? value.join(', ')
            : String(value);
      out.line(`${name.padEnd(16)}${shown}  ${out.dim(`(${origin})`)}`);
    }
  },
};
