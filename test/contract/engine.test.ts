import { tempStore } from '../support/temp.js';
import { memoryContract, start } from './memory-contract.js';

memoryContract('engine', async () => {
  let now = start;
  return {
    memory: await tempStore({ clock: { now: () => now } }),
    advance: (ms) => {
      now += ms;
    },
  };
});
