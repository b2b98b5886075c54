import { readFileSync, writeFileSync } from 'node:fs';

/** A test file that names the `shared` folder beside the repository, as `'../shared'` or `"shared"`. */
const NAMES_SHARED = /['"`/]shared['"`/]/;

/**
 * Writes the counts of a vitest run as JSON to the file that `CORVID_TEST_COUNTS` names:
 * `{ passed, failed, skipped, skippedShared }`. A file that cannot be loaded, a failed hook of a suite and an error
 * outside of every test count as one failed test each. `skippedShared` are the skipped tests of files that need
 * the `shared` folder.
 */
export default class CountsReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0, skippedShared: 0 };
    for (const module of modules) {
      let skipped = 0;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') counts.passed += 1;
        else if (state === 'skipped') skipped += 1;
        else counts.failed += 1;
      }
      counts.failed += module.errors().length;
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
      counts.skipped += skipped;
      if (skipped > 0 && NAMES_SHARED.test(readFileSync(module.moduleId, 'utf8')))
        counts.skippedShared += skipped;
    }
    const file = process.env.CORVID_TEST_COUNTS;
    if (file) writeFileSync(file, JSON.stringify(counts));
  }
}
