import type { Candidate, FusedPart, Fusion, ItemKey, StreamName } from '../../contracts/index.js';
import { defaults } from '../defaults.js';
import { gather, rankEntries } from './gather.js';

/**
 * Convex combination of scores (Bruch, Gai, Ingber 2023) over the union of the candidates:
 * (1 − α) · L + α · V, L = lexical score / the largest of the union (0 where there is none), V = max(0, cosine) / the
 * largest of the union. Without any lexical hit the score is V, without vectors L. Every other stream adds
 * β · weight · 61 / (60 + rank), so that its first place adds β · weight.
 */
export function convex(alpha: number = defaults.fusion.alpha): Fusion {
  return {
    name: 'convex',
    needsScores: true,
    parameters: { alpha },
    fuse(lists, { weights, scores, groupBy }) {
      const gathered = gather(lists, groupBy);
      const lexical = scaled(
        'lexical',
        gathered.map((entry) => entry.candidate),
      );
      const vector = scaled(
        'vector',
        gathered.map((entry) => entry.candidate),
      );
      const vectorShare = vector.largest === 0 ? 0 : lexical.largest === 0 ? 1 : alpha;
      return rankEntries(
        gathered.map((entry) => {
          const parts: FusedPart[] = [];
          const add = (stream: StreamName, contribution: number, raw: number) => {
            const place = entry.places.get(stream);
            // A candidate that the stream scored but did not list has no rank there.
            if (place || contribution !== 0)
              parts.push({ stream, rank: place?.rank ?? null, raw, contribution });
          };
          const l = lexical.of(entry.candidate);
          add('lexical', (1 - vectorShare) * weights.lexical * l.share, l.raw);
          for (const stream of ['exact', 'vector', 'entity', 'graph'] as const) {
            const place = entry.places.get(stream);
            if (stream === 'vector') {
              const v = vector.of(entry.candidate);
              add('vector', vectorShare * weights.vector * v.share, v.raw);
            } else if (place) {
              add(stream, (defaults.fusion.beta * weights[stream] * 61) / (60 + place.rank), place.raw);
            }
          }
          return { gathered: entry, parts };
        }),
      );

      /** A stream's scores over the union, as shares of the largest. */
      function scaled(stream: StreamName, candidates: readonly Candidate[]) {
        const listed = new Map<number, number>();
        const keyOf = (candidate: Candidate) => (groupBy === 'item' ? candidate.item : candidate.chunk);
        for (const list of lists) {
          if (list.stream !== stream) continue;
          for (const candidate of list.candidates) {
            if (!listed.has(keyOf(candidate))) listed.set(keyOf(candidate), candidate.raw);
          }
        }
        const table = scores.get(stream);
        const rawOf = (candidate: Candidate) =>
          listed.get(keyOf(candidate)) ?? table?.get(candidate.item as ItemKey) ?? 0;
        const largest = candidates.reduce((most, candidate) => Math.max(most, rawOf(candidate)), 0);
        return {
          largest,
          of(candidate: Candidate) {
            const raw = rawOf(candidate);
            return { raw, share: largest > 0 ? Math.max(0, raw) / largest : 0 };
          },
        };
      }
    },
  };
}
