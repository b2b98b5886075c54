import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { runNode } from './run.mjs';

const SOURCE = 'assembly/scan.ts';
const MODULE = 'src/core/vector/kernel-bytes.ts';
const FLAGS = [
  '--runtime',
  'stub',
  '--noAssert',
  '-O3',
  '--enable',
  'simd',
  '--importMemory',
  '--noExportMemory',
];

/**
 * Compiles `assembly/scan.ts` to WebAssembly and writes its bytes as a TypeScript module, which version control passes
 * over. Does nothing where the module is that of the source.
 *
 * @returns the compiler's complaint, or null when all went well.
 */
export async function buildKernel() {
  const source = readFileSync(join(root, SOURCE));
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const compiler = devDependencies.assemblyscript;
  const hash = createHash('sha256')
    .update(source)
    .update(`${compiler} ${FLAGS.join(' ')}`)
    .digest('hex');
  const first = `// Made from ${SOURCE} (${hash.slice(0, 16)}).`;
  const module = join(root, MODULE);
  if (existsSync(module) && readFileSync(module, 'utf8').startsWith(first)) return null;
  const folder = mkdtempSync(join(tmpdir(), 'corvid-kernel-'));
  try {
    const wasm = join(folder, 'scan.wasm');
    const { code, output } = await runNode([
      'node_modules/assemblyscript/bin/asc.js',
      SOURCE,
      '--outFile',
      wasm,
      ...FLAGS,
    ]);
    if (code !== 0) return output;
    const base64 = readFileSync(wasm).toString('base64');
    writeFileSync(
      module,
      `${first}\n/** The WebAssembly module, in base64. */\nexport const kernelBytes =\n  '${base64}';\n`,
    );
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
