/**
 * Whether a server's message says that a text has more tokens than the model takes. Servers agree on no form: they
 * speak of the context, of the input's length or size, or of the number of tokens.
 */
export function saysTooLong(message: string): boolean {
  return PATTERNS.some((pattern) => pattern.test(message));
}

const PATTERNS = [
  /context[ _-]?(length|size|window)/i,
  /maximum (context|input|sequence)/i,
  /too (long|large|big|many (input )?tokens)/i,
  /(exceed|maximum|max|at most|less than|fewer than|limit)[^.]{0,60}\btokens?\b/i,
  /\btokens?\b[^.]{0,60}(exceed|limit|maximum)/i,
] as const;
