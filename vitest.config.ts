import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // A focused test would leave the others out silently.
    allowOnly: false,
    setupFiles: ['test/support/property-seed.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A crash of native code then ends one worker, and two test files share no process state.
    pool: 'forks',
    coverage: { include: ['src/**/*.ts'], exclude: ['src/**/*.test.ts'] },
  },
});
