import { defaults } from '../defaults.js';

/** A message that the question found. Positions count the messages of its conversation. */
export interface FoundMessage {
  conversation: number;
  position: number;
  score: number;
}

/**
 * What the messages near each message scored, as shares of the best score: Σ share / distance over the nearest on both
 * sides. A turn of a conversation is understood from the turns around it, and an answer seldom repeats the question.
 */
export function conversationEvidence(messages: readonly FoundMessage[], best: number): number[] {
  const { neighbours } = defaults.rerank;
  const scores = new Map<number, Map<number, number>>();
  for (const { conversation, position, score } of messages) {
    const known = scores.get(conversation) ?? new Map<number, number>();
    scores.set(conversation, known.set(position, score));
  }
  return messages.map(({ conversation, position }) => {
    const around = scores.get(conversation)!;
    let sum = 0;
    for (let far = 1; far <= neighbours; far++) {
      sum += ((around.get(position - far) ?? 0) + (around.get(position + far) ?? 0)) / (far * best);
    }
    return sum;
  });
}
