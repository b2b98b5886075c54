/** One of the first candidates, with what the index keeps of its best chunk: terms joined by single spaces. */
export interface PoolEntry {
  /** Above 0, falling down the pool. */
  score: number;
  title: string;
  body: string;
  /** What the messages around it scored, see {@link conversationEvidence}. */
  conversation: number;
}

/** One kind of evidence, and by how much of the score it lifts a candidate. */
export interface Boost {
  name: 'proximity' | 'phrase' | 'title' | 'mention' | 'conversation';
  value: number;
}
