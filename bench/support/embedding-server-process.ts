/** An embedding server in a process of its own, so that its work is not counted as the searcher's. Sends its url. */
import { EmbeddingServer } from '../../test/support/embedding-server.js';

const delayMs = Number(process.argv[2] ?? 30);
const server = await EmbeddingServer.start({ dimensions: 384, fault: () => ({ delayMs }) });
process.send?.(server.url);
process.once('disconnect', () => void server.close());
