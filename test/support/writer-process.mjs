// A process that adds items to a store, for tests with several processes at once. Arguments: path, prefix, count.
import { open } from '../../dist/index.js';

const [path, prefix, count] = process.argv.slice(2);
const memory = await open({ path, busyTimeoutMs: 30_000 });
process.send?.('open');
for (let i = 0; i < Number(count); i++) {
  await memory.add({ id: `${prefix}-${i}`, kind: 'document', text: `reading ${i} of the ${prefix} sensor` });
  if (i % 10 === 0) await memory.search('sensor reading', { limit: 3 });
}
await memory.close();
