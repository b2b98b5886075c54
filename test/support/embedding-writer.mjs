// A process that ingests a folder and embeds it, to be killed at any moment. Arguments: path, folder, server url.
import { open } from '../../dist/index.js';

const [path, folder, url] = process.argv.slice(2);
const memory = await open({
  path,
  embedder: { provider: 'ollama', model: 'drill', url },
  busyTimeoutMs: 30_000,
});
process.send?.('open');
await memory.ingest(folder);
process.send?.('ingested');
await memory.drain();
await memory.close();
process.send?.('done');
process.disconnect?.();
