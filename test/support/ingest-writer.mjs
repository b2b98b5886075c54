// A process that ingests a folder, or with a server builds the vectors of another model, to be killed at any moment.
// Arguments: path, folder; or path, `reembed`, server url, model.
import { open } from '../../dist/index.js';

const [path, folder, url, model] = process.argv.slice(2);
const memory = await open({
  path,
  busyTimeoutMs: 30_000,
  ...(url === undefined ? {} : { embedder: { provider: 'ollama', model, url, maxBatch: 4 } }),
});
process.send?.('open');
if (folder === 'reembed') await memory.reembed();
else await memory.ingest(folder);
await memory.close();
process.send?.('done');
process.disconnect?.();
