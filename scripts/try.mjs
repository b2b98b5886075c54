/**
 * `npm run try`: a first look without any earlier step. Installs what is missing, builds, indexes the documents of
 * this repository into a temporary file with the real command line and asks two questions.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { neutralEnvironment } from './lib/environment.mjs';
import { root } from './lib/paths.mjs';
import { runNode } from './lib/run.mjs';

const DOCUMENTS = ['README.md', 'docs', 'examples/notes'];
const QUESTIONS = [
  {
    text: 'Why did opening an album take so long after the upgrade?',
    first: 'Why the photo library was slow',
  },
  { text: 'what do I do about F22 on the boiler?', first: 'Heating, and the cold bathroom' },
];

const folder = mkdtempSync(join(tmpdir(), 'corvid-try-'));
try {
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main() {
  if ((await runNode(['scripts/build.mjs'], { show: true })).code !== 0) return false;
  for (const path of DOCUMENTS.filter((path) => existsSync(join(root, path)))) {
    if ((await corvid(['ingest', path], { show: true })).code !== 0) return fail(`Ingesting ${path} failed.`);
  }
  for (const question of QUESTIONS) {
    const shown = await corvid(['search', question.text, '--explain', '-n', '3'], { show: true });
    if (shown.code !== 0) return fail('The search failed.');
    const problem = await check(question);
    if (problem !== null) return fail(problem);
  }
  console.log(`\nBoth questions found the note that answers them. The temporary database is removed.`);
  console.log(
    'Yours: node dist/cli/main.js ingest FOLDER, then node dist/cli/main.js search "QUESTION" --explain',
  );
  return true;
}

/** Runs the command line on the temporary database; with `show`, says what is run. */
function corvid(args, { show }) {
  if (show)
    console.log(
      `\n$ corvid ${args.map((arg) => (/^[\w./-]+$/.test(arg) ? arg : JSON.stringify(arg))).join(' ')}`,
    );
  const command = ['dist/cli/main.js', ...args, '--db', join(folder, 'try.db')];
  return runNode(command, { show, env: neutralEnvironment() });
}

/** What is wrong with the answer to a question, or null. */
async function check({ text, first }) {
  const { code, stdout, stderr } = await corvid(['search', text, '--explain', '--json'], { show: false });
  if (code !== 0) return `The search with --json failed: ${stderr}`;
  const [hit] = JSON.parse(stdout).hits;
  if (hit?.title !== first)
    return `Expected ${JSON.stringify(first)} first for ${JSON.stringify(text)}; it was ${JSON.stringify(hit?.title ?? null)}.`;
  const ranks = Object.values(hit.explanation?.streams ?? {}).filter(
    (stream) => typeof stream?.rank === 'number',
  );
  return ranks.length > 0 ? null : `The first hit for ${JSON.stringify(text)} shows no rank in any stream.`;
}

function fail(line) {
  console.error(line);
  return false;
}
