/** `npm run build`: installs what is missing and compiles `src/` to `dist/`. */
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/paths.mjs';
import { NotReady, prepare } from './lib/prepare.mjs';
import { runNode } from './lib/run.mjs';

try {
  await prepare();
  process.exitCode = await build();
} catch (error) {
  if (!(error instanceof NotReady)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function build() {
  // A file whose source is gone must not stay in the package.
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const { code } = await runNode(['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
    show: true,
  });
  if (code !== 0) return 1;
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const [name, path] of Object.entries(bin)) {
    const file = join(root, path);
    if (!existsSync(file)) {
      console.error(`package.json names ${path} as the command ${name}, and the build made no such file.`);
      return 1;
    }
    chmodSync(file, 0o755);
  }
  return 0;
}
