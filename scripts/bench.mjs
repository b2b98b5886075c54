/** `npm run bench -- NAME [arguments]`: runs bench/NAME.ts; without a name, lists what there is. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/paths.mjs';
import { runNode } from './lib/run.mjs';

const names = readdirSync(join(root, 'bench'))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length));
const [name, ...rest] = process.argv.slice(2);
if (name === undefined || !names.includes(name)) {
  console.log(`Usage: npm run bench -- NAME. There is: ${names.join(', ')}.`);
  process.exitCode = name === undefined ? 0 : 2;
} else {
  const { code } = await runNode(['--import', 'tsx', `bench/${name}.ts`, ...rest], { show: true });
  process.exitCode = code ?? 1;
}
