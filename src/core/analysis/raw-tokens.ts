/** Called for every raw token: `[start, keyEnd)` is the token without signs at its end, with `hash` over its units. */
export type RawTokenVisitor = (start: number, end: number, keyEnd: number, hash: number) => void;

const OTHER = 1;
const WORD = 2;
/** A sign that may stand within a token and says nothing at its end. */
const SIGN = 3;
const PICTURE = 4;

const WORD_CHARACTER = /[\p{L}\p{M}\p{N}_+#]/u;
const SIGN_CHARACTER = /[.\-/\\@:'’]/;
const PICTURE_CHARACTER = /\p{Extended_Pictographic}/u;
const ZERO_WIDTH_JOINER = 0x200d;
const STROKE = 0x338;
const EMOJI_PRESENTATION = 0xfe0f;

/**
 * Splits texts into raw tokens: runs of letters, marks, digits and the signs that hold names together, and pictures
 * (emoji sequences). Classes of characters are looked up in a table that fills itself: several times faster than a
 * pattern over the text.
 */
export class RawTokenScanner {
  readonly #classes = new Uint8Array(0x10000);

  scan(text: string, visit: RawTokenVisitor): void {
    const classes = this.#classes;
    const length = text.length;
    let at = 0;
    while (at < length) {
      const first = text.charCodeAt(at);
      const kind = classes[first] || this.#classOf(text, at, first);
      if (kind === OTHER) {
        at++;
      } else if (kind === PICTURE) {
        const end = this.#pictureEnd(text, at);
        // A picture that is struck through is another sign, decomposed (↮).
        if (text.charCodeAt(end) !== STROKE) visit(at, end, end, hashOf(text, at, end));
        at = end;
      } else {
        const start = at;
        let hash = 0;
        let keyEnd = at;
        let keyHash = 0;
        while (at < length) {
          const code = text.charCodeAt(at);
          const inside = classes[code] || this.#classOf(text, at, code);
          if (inside !== WORD && inside !== SIGN) break;
          hash = (Math.imul(hash, 31) + code) | 0;
          at++;
          if (isHighSurrogate(code)) {
            hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
            at++;
          }
          if (inside === WORD) {
            keyEnd = at;
            keyHash = hash;
          }
        }
        visit(start, at, keyEnd, keyHash);
      }
    }
  }

  #classOf(text: string, at: number, code: number): number {
    // Surrogates have no class of their own, so that the table never answers for one.
    if (isHighSurrogate(code)) return classify(String.fromCodePoint(text.codePointAt(at) ?? code));
    const made = classify(String.fromCharCode(code));
    this.#classes[code] = made;
    return made;
  }

  /** End of an emoji sequence: pictures joined by zero-width joiners, with their presentation and skin tone. */
  #pictureEnd(text: string, start: number): number {
    let at = start + unitsAt(text, start);
    while (at < text.length) {
      const code = text.codePointAt(at) ?? 0;
      if (code === EMOJI_PRESENTATION || (code >= 0x1f3fb && code <= 0x1f3ff)) {
        at += unitsAt(text, at);
      } else if (code === ZERO_WIDTH_JOINER && isPicture(text, at + 1)) {
        at += 1 + unitsAt(text, at + 1);
      } else {
        break;
      }
    }
    return at;
  }
}

function classify(character: string): number {
  if (WORD_CHARACTER.test(character)) return WORD;
  if (SIGN_CHARACTER.test(character)) return SIGN;
  return PICTURE_CHARACTER.test(character) ? PICTURE : OTHER;
}

function isPicture(text: string, at: number): boolean {
  const code = text.codePointAt(at);
  return code !== undefined && PICTURE_CHARACTER.test(String.fromCodePoint(code));
}

function unitsAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function hashOf(text: string, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}
