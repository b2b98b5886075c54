/** Corvid: hybrid retrieval and memory for agents, in one SQLite file. */
export type * from './contracts/index.js';
export { defaults } from './core/defaults.js';
export {
  type EmbedFunction,
  type FunctionEmbedderOptions,
  functionEmbedder,
} from './embed/embedders/function.js';
export { open } from './engine.js';
export { CorvidError, type ErrorCode, errorTable } from './errors.js';
export { defaultDatabasePath } from './store/locate.js';
export { version } from './version.js';
