/**
 * Stage "source": `node scripts/check-source.mjs [FOLDER]` checks the rules of this project that no linter knows, in
 * every file that git tracks or would add. Prints one line a finding; exit code 1 when there is one.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkCode } from './lib/code-rules.mjs';
import { root } from './lib/paths.mjs';
import { checkText } from './lib/text-rules.mjs';

const folder = resolve(process.argv[2] ?? root);
const findings = [];
let files = 0;
for (const path of listFiles(folder)) {
  const bytes = readFileSync(join(folder, path));
  if (bytes.includes(0)) continue;
  files += 1;
  const text = bytes.toString('utf8');
  findings.push(...checkText(path, text));
  if (/^(?:src|test|bench|examples)\/.*\.ts$/.test(path)) findings.push(...checkCode(path, text));
}
for (const { path, line, rule, message } of findings) console.error(`${path}:${line} ${rule}: ${message}`);
console.log(`${files} files checked, ${findings.length} findings`);
if (files === 0) console.error(`No file to check in ${folder}`);
process.exitCode = findings.length > 0 || files === 0 ? 1 : 0;

/** Relative paths with `/`. Without git, every file outside of the folders that git would ignore. */
function listFiles(from) {
  let paths;
  try {
    const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
    paths = execFileSync('git', args, {
      cwd: from,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).split('\0');
  } catch {
    paths = readdirSync(from, { recursive: true })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => !/(^|\/)(node_modules|dist|coverage|\.git|\.corvid)(\/|$)/.test(path));
  }
  return paths
    .filter((path) => path !== '' && statSync(join(from, path), { throwIfNoEntry: false })?.isFile())
    .sort();
}
