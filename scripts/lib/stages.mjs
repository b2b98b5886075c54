import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { neutralEnvironment } from './environment.mjs';
import { root } from './paths.mjs';
import { runNode } from './run.mjs';

const HALF_HOUR_MS = 30 * 60_000;

/**
 * The stages of `npm test`, in order. `alone` is the command that runs the stage by itself; `run` returns its counts
 * and, for a check, what it printed.
 */
export const stages = [
  check('build', ['scripts/build.mjs']),
  check('format', [bin('@biomejs/biome', 'bin/biome'), 'ci', '--error-on-warnings', '--colors=off']),
  check('types', [bin('typescript', 'bin/tsc'), '-p', '.']),
  check('source', ['scripts/check-source.mjs']),
  check('layers', [
    bin('dependency-cruiser', 'bin/dependency-cruise.mjs'),
    '--config',
    '--',
    ...foldersWithCode(),
  ]),
  check('unused', [bin('knip', 'bin/knip.js')]),
  check('package', ['scripts/check-package.mjs']),
  { name: 'tests', alone: 'npm test -- --only tests', run: runTests },
];

/** A program of an installed package, run without npx so that nothing can be downloaded. */
function bin(name, path) {
  return `node_modules/${name}/${path}`;
}

/** The folders that dependency rules are checked in; not all of them need to exist. */
function foldersWithCode() {
  return ['src', 'test', 'bench', 'examples'].filter((folder) => existsSync(join(root, folder)));
}

/** A stage that passes or fails as one test. */
function check(name, args) {
  return {
    name,
    alone: `npm test -- --only ${name}`,
    async run() {
      const { code, output } = await runNode(args, { env: { ...neutralEnvironment(), NO_COLOR: '1' } });
      return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0, output };
    },
  };
}

/** All tests in one vitest run, its output shown as it comes. A run that leaves no counts is one failure. */
async function runTests(filters) {
  const folder = mkdtempSync(join(tmpdir(), 'corvid-test-'));
  const countsFile = join(folder, 'counts.json');
  try {
    const reporters = ['--reporter=default', '--reporter=./scripts/vitest-counts-reporter.mjs'];
    const args = [bin('vitest', 'vitest.mjs'), 'run', ...reporters, ...filters];
    const env = { ...neutralEnvironment(), CORVID_TEST_COUNTS: countsFile };
    const { code, output } = await runNode(args, { show: true, env, timeoutMs: HALF_HOUR_MS });
    if (!existsSync(countsFile)) {
      return {
        passed: 0,
        failed: 1,
        skipped: 0,
        output: `${output}vitest ended with code ${code} and left no counts.\n`,
      };
    }
    const counts = JSON.parse(readFileSync(countsFile, 'utf8'));
    const ran = counts.passed + counts.failed;
    if (code !== 0 && counts.failed === 0) counts.failed = 1;
    const note = ran === 0 ? 'No test ran.\n' : '';
    return { ...counts, output: note };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
