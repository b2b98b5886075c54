import { existsSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { buildKernel } from './kernel.mjs';
import { root } from './paths.mjs';
import { run, runNode, runNpm } from './run.mjs';

/** The oldest Node.js that works; package.json says the same in `engines`. */
const MINIMUM_NODE = [20, 19];
const BUILD_TOOLS = ['python3', 'make', 'g++'];

/** Why nothing can be built or tested here, as one line for the user. */
export class NotReady extends Error {}

/**
 * Makes the checkout ready to build: checks Node.js, installs the packages that are missing, makes sure that SQLite
 * loads and compiles the vector kernel. Says on stderr what it does, and nothing when there is nothing to do.
 *
 * @throws {NotReady} with what is wrong and what to do about it.
 */
export async function prepare() {
  checkNodeVersion(process.versions.node);
  if (needsInstall()) await install();
  await ensureSqliteLoads();
  const complaint = await buildKernel();
  if (complaint !== null)
    throw new NotReady(`${complaint}\nThe vector kernel (assembly/scan.ts) was not compiled.`);
}

function checkNodeVersion(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor, minMinor] = MINIMUM_NODE;
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return;
  throw new NotReady(
    `Corvid needs Node.js ${MINIMUM_NODE.join('.')} or newer; this is ${version}. Install a newer one.`,
  );
}

function needsInstall() {
  const installed = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return true;
  return statSync(join(root, 'package-lock.json')).mtimeMs > statSync(installed).mtimeMs;
}

async function install() {
  say(
    'Installing packages (npm ci); where SQLite has no prebuilt binary it is compiled, which takes about 2 minutes ...',
  );
  const env = npmEnvironment();
  let result = await runNpm(['ci', '--include=dev'], { env });
  if (result.code !== 0 && isCompileFailure(result.output) && (await installBuildTools())) {
    result = await runNpm(['ci', '--include=dev'], { env });
  }
  if (result.code !== 0 && isLockMismatch(result.output)) {
    say(
      'package-lock.json lacks packages that this platform needs: using npm install --no-save instead. Please commit the lock of a plain npm install.',
    );
    result = await runNpm(['install', '--no-save', '--no-package-lock', '--include=dev'], { env });
  }
  if (result.code === 0) return;
  process.stderr.write(tail(result.output, 30));
  throw new NotReady(reasonOf(result.output));
}

/** After a change of Node.js the compiled part no longer fits, and npm may have been told to run no install scripts. */
async function ensureSqliteLoads() {
  if (await sqliteLoads()) return;
  say('SQLite does not load with this Node.js: rebuilding better-sqlite3 ...');
  const env = npmEnvironment();
  let result = await runNpm(['rebuild', 'better-sqlite3'], { env });
  if (result.code !== 0 && (await installBuildTools()))
    result = await runNpm(['rebuild', 'better-sqlite3'], { env });
  if (result.code === 0 && (await sqliteLoads())) return;
  process.stderr.write(tail(result.output, 30));
  throw new NotReady(reasonOf(`${result.output}\ngyp ERR!`));
}

async function sqliteLoads() {
  const script = "new (require('better-sqlite3'))(':memory:').close()";
  return (await runNode(['-e', script])).code === 0;
}

/** Where Node's own headers are installed beside it, the compiler takes them and nothing is downloaded. */
function npmEnvironment() {
  const prefix = dirname(dirname(process.execPath));
  const headers = existsSync(join(prefix, 'include', 'node', 'node.h'));
  return headers ? { ...process.env, npm_config_nodedir: prefix } : process.env;
}

/** Installs the missing build tools where that is possible. Returns whether anything was installed. */
async function installBuildTools() {
  const missing = BUILD_TOOLS.filter((tool) => !onPath(tool));
  if (missing.length === 0 || process.getuid?.() !== 0 || !onPath('apt-get')) return false;
  say(`Compiling SQLite needs ${missing.join(', ')}: installing with apt-get ...`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = ['install', '-y', '--no-install-recommends', ...missing];
  let result = await run('apt-get', install, { env });
  if (result.code !== 0) {
    await run('apt-get', ['update'], { env });
    result = await run('apt-get', install, { env });
  }
  if (result.code !== 0) process.stderr.write(tail(result.output, 10));
  return result.code === 0;
}

function onPath(program) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && existsSync(join(folder, program)));
}

function isCompileFailure(output) {
  return /gyp ERR!|node-gyp|prebuild-install/.test(output);
}

function isLockMismatch(output) {
  return /EUSAGE|in sync|Missing: .* from lock file|Cannot find module '@[^']*-(linux|darwin|win32)-/.test(
    output,
  );
}

function reasonOf(output) {
  if (isCompileFailure(output)) {
    const missing = BUILD_TOOLS.filter((tool) => !onPath(tool));
    return missing.length > 0
      ? `SQLite (better-sqlite3) could not be compiled: ${missing.join(', ')} missing. Install python3, make and g++ and run this again.`
      : "SQLite (better-sqlite3) could not be compiled. If Node's headers are missing, install them and set npm_config_nodedir to the folder that holds include/node.";
  }
  if (/ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT/.test(output)) {
    return 'npm could not reach the package registry. Check the network and `npm config get registry`, and run this again.';
  }
  return '`npm ci` failed (its last lines are above). Mend what it names and run this again.';
}

function tail(text, lines) {
  return `${text.trimEnd().split('\n').slice(-lines).join('\n')}\n`;
}

function say(line) {
  process.stderr.write(`${line}\n`);
}
