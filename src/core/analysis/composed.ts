/** A letter with what may compose with it: its marks, and for Hangul its vowel and final consonant. */
const CLUSTER = /\P{M}[\u1161-\u1175\u11a7-\u11c2\p{M}]*|\p{M}+/gu;

export interface Composed {
  text: string;
  /** Offset in the given text of an offset in the composed one; null when they are the same. */
  origin: ((offset: number, side: 'start' | 'end') => number) | null;
}

/** A token in composed form (NFC), so that it is taken apart the same way however it was encoded. */
export function compose(raw: string): Composed {
  const text = raw.normalize('NFC');
  if (text === raw) return { text, origin: null };
  const starts: number[] = [];
  const ends: number[] = [];
  let again = '';
  let at = 0;
  for (const [cluster] of raw.matchAll(CLUSTER)) {
    const made = cluster.normalize('NFC');
    for (let i = 0; i < made.length; i++) {
      starts.push(at);
      ends.push(at + cluster.length);
    }
    again += made;
    at += cluster.length;
  }
  // Where clusters compose with each other, only the token as a whole has a place.
  if (again !== text) return { text, origin: (_, side) => (side === 'start' ? 0 : raw.length) };
  return {
    text,
    origin: (offset, side) => (side === 'start' ? starts[offset] : ends[offset - 1]) ?? raw.length,
  };
}
