const TAB = 9;
const SPACE = 32;
const TAB_STOP = 4;

/** A place in one line of markdown that counts columns, so that a tab may be used up in parts. */
export class LineCursor {
  readonly #text: string;
  #pos = 0;
  #column = 0;
  /** Columns of a tab that are still to be used. */
  #carry = 0;
  /** End of the line, without its newline. */
  end = 0;
  /** Columns of white space ahead. */
  indent = 0;
  /** Where the first character after the white space stands. */
  next = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Goes to the start of a line. */
  reset(start: number, end: number): void {
    this.#pos = start;
    this.#column = 0;
    this.#carry = 0;
    this.end = end;
    this.#look();
  }

  get blank(): boolean {
    return this.next >= this.end;
  }

  /** The first character after the white space, as a UTF-16 unit; NaN at the end of the line. */
  get code(): number {
    return this.next < this.end ? this.#text.charCodeAt(this.next) : Number.NaN;
  }

  /** The line from the first character after the white space on. */
  rest(limit = Number.POSITIVE_INFINITY): string {
    return this.#text.slice(this.next, Math.min(this.end, this.next + limit));
  }

  /** Uses up white space, at most so many columns. */
  skipColumns(count: number): void {
    let left = count;
    while (left > 0) {
      if (this.#carry > 0) {
        const used = Math.min(left, this.#carry);
        this.#carry -= used;
        this.#column += used;
        left -= used;
        continue;
      }
      const code = this.#pos < this.end ? this.#text.charCodeAt(this.#pos) : Number.NaN;
      if (code === SPACE) {
        this.#pos++;
        this.#column++;
        left--;
      } else if (code === TAB) {
        this.#pos++;
        this.#carry = TAB_STOP - (this.#column % TAB_STOP);
      } else break;
    }
    this.#look();
  }

  /** Goes past the white space and so many characters that follow it. */
  skipMarker(length: number): void {
    this.#column += this.indent + length;
    this.#pos = this.next + length;
    this.#carry = 0;
    this.#look();
  }

  #look(): void {
    let pos = this.#pos;
    let column = this.#column + this.#carry;
    for (; pos < this.end; pos++) {
      const code = this.#text.charCodeAt(pos);
      if (code === SPACE) column++;
      else if (code === TAB) column += TAB_STOP - (column % TAB_STOP);
      else break;
    }
    this.indent = column - this.#column;
    this.next = pos;
  }
}
