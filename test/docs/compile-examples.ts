import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { root } from './doc-files.js';

/**
 * Type-checks files as a user's project would that has the package installed, and compiles them beside themselves
 * (`x.ts` to `x.js`), `await using` lowered for Node 20.
 *
 * @param files name to source, written to the folder
 * @returns name to the messages of its errors
 */
export function compileExamples(folder: string, files: ReadonlyMap<string, string>): Map<string, string[]> {
  const modules = join(folder, 'node_modules');
  mkdirSync(modules, { recursive: true });
  // The package under the name that users import; its `exports` decide what they get.
  symlinkSync(root, join(modules, 'corvid'), 'dir');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const program = ts.createProgram(
    [...files.keys()].map((name) => join(folder, name)),
    {
      strict: true,
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      moduleDetection: ts.ModuleDetectionKind.Force,
      typeRoots: [join(root, 'node_modules/@types')],
      types: ['node'],
      skipLibCheck: true,
    },
  );
  const errors = new Map([...files.keys()].map((name) => [name, [] as string[]]));
  const { diagnostics } = program.emit();
  for (const diagnostic of [...ts.getPreEmitDiagnostics(program), ...diagnostics]) {
    const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n');
    const file = [...files.keys()].find((name) => diagnostic.file?.fileName === join(folder, name));
    if (file === undefined) throw new Error(message);
    const line = diagnostic.file?.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line ?? 0;
    errors.get(file)?.push(`line ${line + 1}: ${message}`);
  }
  return errors;
}

/** What an example says it prints: the text after each `// → `, in order. */
export function promisedOutput(source: string): string[] {
  return source.split('\n').flatMap((line) => {
    const at = line.indexOf('// → ');
    return at < 0 ? [] : [line.slice(at + '// → '.length)];
  });
}
