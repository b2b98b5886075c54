/** Whether a UTF-16 unit is white space, as `String.prototype.trim` sees it. */
export function isSpace(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13);
  if (code < 160) return false;
  return (
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  );
}

/** A stretch of text, [start, end) in UTF-16 units. */
export interface Range {
  start: number;
  end: number;
}

/** The range without white space at its ends; empty (`start === end`) when there is nothing else. */
export function trimRange(text: string, start: number, end: number): Range {
  let from = start;
  let to = end;
  while (from < to && isSpace(text.charCodeAt(from))) from++;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
  return { start: from, end: to };
}
