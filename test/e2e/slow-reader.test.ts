import { expect, it } from 'vitest';
import { cliPlace } from '../support/cli.js';

it('output larger than a pipe holds reaches a reader that begins after seconds, whole', async () => {
  const place = cliPlace();
  await place.run(['init']);
  const items = Array.from({ length: 400 }, (_, i) =>
    JSON.stringify({ id: `note-${i}`, text: `raven ${i} `.repeat(60) }),
  );
  await place.run(['add', '--jsonl', '-', '-q'], { stdin: items.join('\n') });
  // Longer than any grace that the command could give itself after its work.
  const { stdout, stderr } = await place.shell(
    '{ corvid list -n 1000 --json; echo "code $?" >&2; } | { sleep 4; cat; }',
  );
  expect(stderr).toBe('code 0\n');
  expect((JSON.parse(stdout) as { items: unknown[] }).items).toHaveLength(400);
});
