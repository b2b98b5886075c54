/**
 * `npm test [-- [--only STAGE]… [--skip STAGE]… [PATH…]]`: installs what is missing, builds, runs every check and
 * every test. All stages run whatever fails; the last line is the sum of all of them. Paths narrow the tests alone.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/paths.mjs';
import { NotReady, prepare } from './lib/prepare.mjs';
import { stages } from './lib/stages.mjs';

const options = parse(process.argv.slice(2));
if (typeof options === 'string') {
  console.error(options);
  process.exitCode = 2;
} else {
  process.exitCode = (await main(options)) ? 0 : 1;
}

async function main({ chosen, filters }) {
  const total = { passed: 0, failed: 0, skipped: 0, skippedShared: 0 };
  try {
    await prepare();
  } catch (error) {
    if (!(error instanceof NotReady)) throw error;
    console.error(error.message);
    total.failed += 1;
    printTotal(total);
    return false;
  }
  const rows = [];
  for (const stage of chosen) {
    console.log(`\n== ${stage.name}`);
    const startedAt = performance.now();
    const result = await stage.run(filters);
    if (result.failed > 0) process.stdout.write(result.output);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`${result.failed > 0 ? 'failed' : 'passed'} in ${seconds} s`);
    for (const key of Object.keys(total)) total[key] += result[key] ?? 0;
    rows.push({ stage, result, seconds });
  }
  printTable(rows);
  if (!existsSync(join(root, '..', 'shared'))) {
    console.log(
      `\nNOTICE: ../shared is not there: ${total.skippedShared} tests that measure with it were SKIPPED.`,
    );
  }
  printTotal(total);
  return total.failed === 0 && total.passed > 0;
}

function printTable(rows) {
  console.log('\nstage     passed  failed  skipped  seconds');
  for (const { stage, result, seconds } of rows) {
    const cells = [result.passed, result.failed, result.skipped].map((count, i) =>
      String(count).padStart([6, 6, 7][i]),
    );
    const remedy = result.failed > 0 ? `   alone: ${stage.alone}` : '';
    console.log(`${stage.name.padEnd(8)}  ${cells.join('  ')}  ${seconds.padStart(7)}${remedy}`);
  }
}

function printTotal({ passed, failed, skipped }) {
  console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
}

/** The chosen stages and the path filters, or a line that says what is wrong with the arguments. */
function parse(args) {
  const names = stages.map((stage) => stage.name);
  const only = [];
  const skip = [];
  const filters = [];
  for (let i = 0; i < args.length; i += 1) {
    const match = /^--(only|skip)(?:=(.*))?$/.exec(args[i]);
    if (!match && args[i].startsWith('-')) {
      return `Unknown option ${args[i]}. Options: --only STAGE, --skip STAGE; stages: ${names.join(', ')}.`;
    }
    if (!match) {
      filters.push(args[i]);
      continue;
    }
    const name = match[2] ?? args[++i];
    if (!names.includes(name))
      return `--${match[1]} needs a stage: ${names.join(', ')}; not ${JSON.stringify(name ?? '')}.`;
    (match[1] === 'only' ? only : skip).push(name);
  }
  const chosen = stages.filter(
    ({ name }) => (only.length === 0 || only.includes(name)) && !skip.includes(name),
  );
  return { chosen, filters };
}
