import type {
  Candidate,
  ChunkKey,
  FusedEntry,
  FusedPart,
  ItemKey,
  RankedList,
  StreamName,
} from '../../contracts/index.js';

/** The order in which contributions are summed, so that floating point gives one result. */
export const STREAM_ORDER: readonly StreamName[] = ['lexical', 'exact', 'vector', 'entity', 'graph'];

/** Every candidate of any list, once, with the list positions that it has. */
export interface Gathered {
  candidate: Candidate;
  bestRank: number;
  places: Map<StreamName, { rank: number; raw: number }>;
}

/** Ranks count from 1 and only the first place of a candidate in a list counts. */
export function gather(lists: readonly RankedList[], groupBy: 'item' | 'chunk'): Gathered[] {
  const found = new Map<ItemKey | ChunkKey, Gathered>();
  for (const list of inOrder(lists)) {
    let rank = 0;
    for (const candidate of list.candidates) {
      rank++;
      const key = groupBy === 'item' ? candidate.item : candidate.chunk;
      let entry = found.get(key);
      if (!entry) {
        entry = { candidate, bestRank: rank, places: new Map() };
        found.set(key, entry);
      } else if (rank < entry.bestRank) {
        entry.candidate = candidate;
        entry.bestRank = rank;
      }
      if (!entry.places.has(list.stream)) entry.places.set(list.stream, { rank, raw: candidate.raw });
    }
  }
  return [...found.values()];
}

/** Sums the parts in their order and sorts: better score, then better best rank, then newer. */
export function rankEntries(entries: readonly { gathered: Gathered; parts: FusedPart[] }[]): FusedEntry[] {
  return entries
    .map(({ gathered, parts }) => ({
      candidate: gathered.candidate,
      bestRank: gathered.bestRank,
      parts,
      score: parts.reduce((sum, part) => sum + part.contribution, 0),
    }))
    .sort(
      (a, b) =>
        b.score - a.score || a.bestRank - b.bestRank || b.candidate.authoredAt - a.candidate.authoredAt,
    );
}

function inOrder(lists: readonly RankedList[]): RankedList[] {
  return [...lists].sort((a, b) => STREAM_ORDER.indexOf(a.stream) - STREAM_ORDER.indexOf(b.stream));
}
