/** A passage of a text. Offsets are UTF-16 units, [start, end). */
export interface ChunkSpan {
  ordinal: number;
  start: number;
  end: number;
  /** Headings above the passage, outermost first. */
  headingPath: readonly string[];
}
