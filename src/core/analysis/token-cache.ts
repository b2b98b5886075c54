/** Sets of two entries each. Natural text repeats its words, so that most tokens are found here. */
const SETS = 1 << 16;

interface Keyed {
  /** The token's text. */
  raw: string;
}

/**
 * The latest analyses by the text of their token, found in place without cutting the token out. Of the two entries a
 * set has, the one used longer ago gives way; so memory is bounded and a flood of rare tokens drives out few others.
 */
export class TokenCache<Entry extends Keyed> {
  readonly #entries: (Entry | undefined)[] = new Array(SETS * 2).fill(undefined);

  find(text: string, start: number, end: number, hash: number): Entry | undefined {
    const at = slotOf(hash);
    const first = this.#entries[at];
    if (first !== undefined && isAt(first.raw, text, start, end)) return first;
    const second = this.#entries[at + 1];
    if (second === undefined || !isAt(second.raw, text, start, end)) return undefined;
    this.#entries[at] = second;
    this.#entries[at + 1] = first;
    return second;
  }

  put(entry: Entry, hash: number): void {
    const at = slotOf(hash);
    this.#entries[at + 1] = this.#entries[at];
    this.#entries[at] = entry;
  }
}

function slotOf(hash: number): number {
  return ((hash ^ (hash >>> 15)) & (SETS - 1)) << 1;
}

function isAt(raw: string, text: string, start: number, end: number): boolean {
  if (raw.length !== end - start) return false;
  for (let i = 0; i < raw.length; i++) {
    if (raw.charCodeAt(i) !== text.charCodeAt(start + i)) return false;
  }
  return true;
}
