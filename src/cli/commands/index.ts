import type { Verb } from '../command.js';
import { add } from './add.js';
import { archive, forget, remove, restore } from './by-id.js';
import { config } from './config.js';
import { doctor } from './doctor.js';
import { drain, embed, reembed } from './embed.js';
import { evaluate } from './eval.js';
import { get } from './get.js';
import { ingest } from './ingest.js';
import { init } from './init.js';
import { list } from './list.js';
import { search } from './search.js';
import { status } from './status.js';
import { update } from './update.js';
import { watch } from './watch.js';

/** Every verb, in the order of the help. */
export const verbs: readonly Verb[] = [
  init,
  add,
  ingest,
  watch,
  search,
  get,
  list,
  update,
  archive,
  restore,
  remove,
  forget,
  status,
  doctor,
  embed,

  reembed,
  drain,
  evaluate,
  config,
];
