export * from './common.js';
export * from './items.js';
export * from './search.js';
export { nearest, validate } from './validate.js';
