import type { LexicalCandidate, LexicalIndex, QueryPlan } from '../contracts/index.js';
import { defaults } from '../core/defaults.js';
import { boosted, boostsOf } from '../core/rerank/boosts.js';
import { conversationEvidence } from '../core/rerank/conversation-evidence.js';
import { idf } from '../core/score.js';
import type { Conversations } from '../store/conversations.js';
import { messagePositions } from './message-positions.js';

/**
 * Puts the first candidates in order by more than BM25. Everything is read from the candidates themselves, so that
 * nothing the viewer may not see has a part in it.
 *
 * @param candidates at least `defaults.rerank.messages`, if so many match: what is looked at must not depend on how
 *   many hits are wanted
 */
export function rerankCandidates(
  candidates: readonly LexicalCandidate[],
  plan: QueryPlan,
  index: LexicalIndex,
  conversations: Conversations,
): LexicalCandidate[] {
  const { depth, messages } = defaults.rerank;
  const first = candidates.slice(0, depth);
  const best = first[0]?.raw ?? 0;
  if (best <= 0) return [...candidates];
  const texts = index.texts(first.map(({ chunk }) => chunk));
  const around = conversationScores(candidates.slice(0, messages), best, conversations);
  const words = plan.query.terms.filter(({ field }) => field === 'word');
  const terms = words.length > 0 ? words : plan.query.terms;
  const size = index.size();
  const boosts = boostsOf(
    {
      terms,
      idfs: index.documentFrequency(terms).map((frequency) => (frequency > 0 ? idf(size, frequency) : 0)),
      words: plan.query.words,
      phrases: plan.query.phrases,
    },
    first.map((candidate) => ({
      score: candidate.raw,
      title: texts.get(candidate.chunk)?.title ?? '',
      body: texts.get(candidate.chunk)?.body ?? '',
      conversation: around.get(candidate) ?? 0,
    })),
  );
  const lifted = first.map((candidate, i) => ({
    ...candidate,
    raw: boosted(candidate.raw, boosts[i]!),
    evidence: { base: candidate.raw, boosts: boosts[i]! },
  }));
  // Candidates come ordered by date and place among equals; sorting is stable and keeps that.
  lifted.sort((a, b) => b.raw - a.raw || b.authoredAt - a.authoredAt);
  return [...lifted, ...candidates.slice(depth)];
}

function conversationScores(
  candidates: readonly LexicalCandidate[],
  best: number,
  conversations: Conversations,
): Map<LexicalCandidate, number> {
  const positions = messagePositions(candidates, conversations);
  const messages = [...positions.keys()];
  const scores = conversationEvidence([...positions.values()], best);
  return new Map(messages.map((message, i) => [message, scores[i]!]));
}
