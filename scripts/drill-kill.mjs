/** `npm run drill:kill [-- COUNT]`: kills a process that ingests and embeds, 50 times by default, and checks the file each time. */
import { runNode } from './lib/run.mjs';

const kills = process.argv[2] ?? '50';
const built = await runNode(['scripts/build.mjs'], { show: true });
const { code } =
  built.code === 0
    ? await runNode(['node_modules/vitest/vitest.mjs', 'run', 'test/faults/kill.test.ts'], {
        show: true,
        env: { ...process.env, CORVID_DRILL_KILLS: kills },
      })
    : built;
process.exitCode = code ?? 1;
