/** Where the present comes from. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}
