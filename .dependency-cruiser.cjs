/** Who may import whom: the layers of ARCHITECTURE.md. Type-only imports count. */

const TEST = '\\.test\\.ts$';
/** Shared helpers of unit tests, kept beside them. */
const TEST_SUPPORT = '(^|/)test-support/';
const NOT_TESTS = [TEST, TEST_SUPPORT];
const FACES = ['cli', 'eval', 'server', 'mcp', 'client', 'integrations', 'testing'];
const ENGINE_PARTS = ['retrieve', 'ingest', 'embed', 'memory', 'context'];

/** A layer of `src` may reach, inside `src`, only what `allowed` names. Libraries are not its concern. */
function layer(name, path, allowed, comment) {
  return {
    name,
    comment,
    severity: 'error',
    from: { path, pathNot: NOT_TESTS },
    to: { path: '^src/', pathNot: allowed },
  };
}

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one concept, or hide a third. Types of the contracts may refer to each other.',
      severity: 'error',
      from: { pathNot: '^src/contracts/' },
      to: { circular: true },
    },
    {
      name: 'no-runtime-cycles-in-contracts',
      comment: 'Contracts may refer to each other by type only.',
      severity: 'error',
      from: { path: '^src/contracts/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    layer('contracts-import-nothing', '^src/contracts/', ['^src/contracts/'], 'Contracts are what everything else is written against.'),
    {
      name: 'contracts-import-no-library',
      comment: 'A contract with the types of a library would bind every implementation to it.',
      severity: 'error',
      from: { path: '^src/contracts/', pathNot: NOT_TESTS },
      to: { pathNot: '^src/' },
    },
    layer('schemas-import-contracts', '^src/schemas/', ['^src/(schemas|contracts)/', '^src/errors\\.ts$'], 'Schemas describe the contracts, and no more.'),
    {
      name: 'errors-import-nothing',
      comment: 'Every layer raises these errors.',
      severity: 'error',
      from: { path: '^src/errors\\.ts$' },
      to: {},
    },
    layer('core-is-pure', '^src/core/', ['^src/(core|contracts)/', '^src/errors\\.ts$'], 'Core is pure functions over contracts.'),
    {
      name: 'core-does-no-io',
      comment: 'Pure functions touch no file, process or network. node:crypto computes and is allowed.',
      severity: 'error',
      from: { path: '^src/core/', pathNot: NOT_TESTS },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|util|buffer)$' },
    },
    layer('store-imports-core', '^src/store/', ['^src/(store|core|contracts)/', '^src/errors\\.ts$'], 'The store knows nothing of who uses it.'),
    {
      name: 'sqlite-only-in-store',
      comment: 'Another database must fit without a change above the store.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/store/', ...NOT_TESTS] },
      to: { path: '(^|/)(better-sqlite3|sqlite-vec|@types/better-sqlite3|node:sqlite)(/|$)' },
    },
    ...ENGINE_PARTS.map((part) =>
      layer(
        `${part}-stands-alone`,
        `^src/${part}/`,
        [`^src/(${part}|store|core|contracts)/`, '^src/errors\\.ts$'],
        'The parts of the engine know the store and core, never each other: engine.ts joins them.',
      ),
    ),
    {
      name: 'engine-knows-no-face',
      comment: 'The engine is below the faces.',
      severity: 'error',
      from: { path: '^src/engine\\.ts$' },
      to: { path: `^src/(${FACES.join('|')}|index\\.ts)` },
    },
    {
      name: 'index-re-exports-the-engine',
      comment: 'The public API is of the engine, not of a face.',
      severity: 'error',
      from: { path: '^src/index\\.ts$' },
      to: { path: `^src/(${FACES.join('|')})/` },
    },
    ...FACES.filter((face) => face !== 'cli').map((face) =>
      layer(
        `${face}-uses-the-public-api`,
        `^src/${face}/`,
        [`^src/(${face}|schemas)/`, '^src/index\\.ts$'],
        'A face is written against the API that outsiders get.',
      ),
    ),
    layer(
      'cli-uses-the-public-api',
      '^src/cli/',
      [`^src/(${FACES.join('|')}|schemas)/`, '^src/index\\.ts$'],
      'The command line is written against the API that outsiders get; it may load other faces.',
    ),
    {
      name: 'cli-loads-faces-lazily',
      comment: 'Starting the command line must not pay for a server that the verb does not need.',
      severity: 'error',
      from: { path: '^src/cli/', pathNot: NOT_TESTS },
      to: {
        path: `^src/(${FACES.filter((face) => face !== 'cli').join('|')})/`,
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    {
      name: 'only-tests-import-tests',
      comment: 'Code that ships must not need a test file.',
      severity: 'error',
      from: { path: '^src/', pathNot: NOT_TESTS },
      to: { path: [TEST, TEST_SUPPORT, '^(test|bench|examples|scripts)/'] },
    },
    {
      name: 'no-development-package-in-src',
      comment: 'What src imports must be there after a plain npm install of the package.',
      severity: 'error',
      from: { path: '^src/', pathNot: NOT_TESTS },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'resolvable',
      comment: 'Every import must lead to a file.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
