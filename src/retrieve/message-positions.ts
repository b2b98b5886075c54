import type { LexicalCandidate } from '../contracts/index.js';
import { defaults } from '../core/defaults.js';
import type { FoundMessage } from '../core/rerank/conversation-evidence.js';
import type { Conversations, Stretch } from '../store/conversations.js';

/** Keys further apart than this are not looked at: so many others wrote between that the two are hardly neighbours. */
const MAX_KEYS = 64;

/**
 * Where the messages among the candidates stand in their conversations, as far as neighbours need to know: positions
 * of one conversation can be compared, and a long pause begins a new one.
 */
export function messagePositions(
  candidates: readonly LexicalCandidate[],
  conversations: Conversations,
): Map<LexicalCandidate, FoundMessage> {
  const { neighbours, maxPauseMs } = defaults.rerank;
  const messages = candidates.filter(({ conversation }) => conversation !== null);
  messages.sort((a, b) => a.conversation! - b.conversation! || a.chunk - b.chunk);
  const unknown: Stretch[] = [];
  const steps = messages.slice(1).map((message, i): number | null => {
    const before = messages[i]!;
    const keys = message.chunk - before.chunk;
    const apart =
      message.conversation !== before.conversation ||
      keys > MAX_KEYS ||
      Math.abs(message.authoredAt - before.authoredAt) > maxPauseMs;
    if (apart) return Number.POSITIVE_INFINITY;
    if (keys === 1) return 1;
    unknown.push({ conversation: message.conversation!, from: before.chunk, to: message.chunk });
    return null;
  });
  const counted = conversations.messagesBetween(unknown);
  const found = new Map<LexicalCandidate, FoundMessage>();
  let position = 0;
  messages.forEach((message, i) => {
    if (i > 0) {
      const step = steps[i - 1] ?? counted.shift()! + 1;
      position += Math.min(step, neighbours + 1);
    }
    found.set(message, { conversation: message.conversation!, position, score: message.raw });
  });
  return found;
}
