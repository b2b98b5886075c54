/** Stage "package": packs the built package and checks it as an outsider would get it. Needs a build; no network. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './lib/paths.mjs';
import { runNode, runNpm } from './lib/run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'corvid-package-'));
try {
  const problems = await check();
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function check() {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const missing = entryFiles(manifest).filter((path) => !existsSync(join(root, path)));
  if (missing.length > 0)
    return [`package.json names files that are not there (run npm run build first): ${missing.join(', ')}`];

  const packed = await runNpm([
    'pack',
    '--json',
    '--ignore-scripts',
    '--offline',
    '--pack-destination',
    folder,
  ]);
  if (packed.code !== 0) return [`npm pack failed:\n${packed.output}`];
  const [{ filename, files }] = Object.values(JSON.parse(packed.stdout));
  const tarball = join(folder, filename);

  const problems = [];
  const names = files.map((file) => file.path);
  for (const name of names) {
    if (/\.test\.|(^|\/)(test|bench|scripts)\//.test(name))
      problems.push(`The package holds a file of the tests or tools: ${name}`);
  }
  for (const name of ['LICENSE', 'README.md', 'CHANGELOG.md', 'package.json']) {
    if (!names.includes(name)) problems.push(`The package lacks ${name}`);
  }
  for (const kind of ['preinstall', 'install', 'postinstall']) {
    if (manifest.scripts?.[kind])
      problems.push(`package.json has a ${kind} script: users' machines would run it`);
  }
  const publint = await runNode(['node_modules/publint/src/cli.js', 'run', tarball, '--strict']);
  if (publint.code !== 0) problems.push(`publint:\n${publint.output}`);
  const attw = await runNode([
    'node_modules/@arethetypeswrong/cli/dist/index.js',
    ...[
      tarball,
      '--profile',
      'esm-only',
      '--no-definitely-typed',
      '--format',
      'ascii',
      '--no-emoji',
      '--no-color',
    ],
  ]);
  if (attw.code !== 0) problems.push(`attw:\n${attw.output}`);
  return problems;
}

/** Every file that package.json promises through `bin` and `exports`. */
function entryFiles(manifest) {
  const found = [];
  const walk = (value) => {
    if (typeof value === 'string') found.push(value);
    else if (value !== null && typeof value === 'object') for (const part of Object.values(value)) walk(part);
  };
  walk(manifest.bin);
  walk(manifest.exports);
  return [...new Set(found)];
}
