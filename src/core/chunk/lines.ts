/** Lines of a text: `starts[i]` to `ends[i]` without the newline, which is LF, CRLF or a lone CR. */
export interface Lines {
  starts: number[];
  ends: number[];
}

/** Finds the lines of a text from an offset (a line start) on. */
export function splitLines(text: string, from: number): Lines {
  const starts: number[] = [];
  const ends: number[] = [];
  let start = from;
  // Two searches that each run over the text once beat a look at every character.
  let lf = text.indexOf('\n', from);
  let cr = text.indexOf('\r', from);
  while (start < text.length) {
    let end = text.length;
    let next = text.length;
    if (lf !== -1 && (cr === -1 || lf < cr)) {
      end = lf;
      next = lf + 1;
    } else if (cr !== -1) {
      end = cr;
      next = lf === cr + 1 ? cr + 2 : cr + 1;
    }
    starts.push(start);
    ends.push(end);
    if (lf !== -1 && lf < next) lf = text.indexOf('\n', next);
    if (cr !== -1 && cr < next) cr = text.indexOf('\r', next);
    start = next;
  }
  return { starts, ends };
}
