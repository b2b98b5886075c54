import { stemmer } from '@orama/stemmers/english';
import type { AnalyzedToken, AnalyzedWord } from '../../contracts/index.js';
import { compose } from './composed.js';
import { foldMarks, normalForm } from './fold.js';
import { isCamel, nameParts, wholeForms } from './identifier.js';
import { isUnspaced, splitRuns } from './scripts.js';
import { stopWords } from './stop-words.js';
import { limitTerm } from './term-length.js';

const ASCII = /^[\x00-\x7f]*$/;
const MARK = /^\p{M}$/u;
const PICTURE = /^(?!\p{L})\p{Extended_Pictographic}/u;
/** Words and words with digits that have no inner capitals: taken apart without a look at signs. */
const SIMPLE = /^(?:[A-Za-z]?[a-z0-9]*|[A-Z]+[0-9]*)$/;
const SMALL_LETTERS = /^[A-Za-z]?[a-z]*$/;
const SIGNS = new Set("._-/\\@:#+'’");

const NONE: readonly string[] = [];
/** Stems are the dearest part of a word, and words come back in other tokens (capitalised, hyphenated). */
const MAX_STEMS = 50_000;

/** A raw token taken apart, offsets relative to it. */
export interface TokenParts extends AnalyzedToken {
  raw: string;
  /** What the index gets of it: terms joined by single spaces. */
  indexed: { words: string; exact: string };
}

export const NO_PARTS: TokenParts = {
  raw: '',
  start: 0,
  end: 0,
  words: [],
  wholes: [],
  identifier: false,
  indexed: { words: '', exact: '' },
};

/** Takes raw tokens apart into words and whole forms. Knows English; other Latin words go through its stemmer too. */
export class TokenDivider {
  readonly #stops = stopWords();
  readonly #stems = new Map<string, string>();
  #segmenter: Intl.Segmenter | undefined;

  divide(raw: string): TokenParts {
    if (SIMPLE.test(raw)) return this.#simple(raw);
    const ascii = ASCII.test(raw);
    const { text, origin } = ascii ? { text: raw, origin: null } : compose(raw);
    const divided = this.#divideComposed(text, ascii);
    if (origin === null) return { ...divided, raw, end: raw.length };
    const words = divided.words.map((word) => ({
      ...word,
      start: origin(word.start, 'start'),
      end: origin(word.end, 'end'),
    }));
    return { ...divided, raw, end: raw.length, words };
  }

  #divideComposed(raw: string, ascii: boolean): TokenParts {
    if (!ascii && PICTURE.test(raw)) {
      const term = limitTerm(raw.replace(/[\ufe0f\u{1f3fb}-\u{1f3ff}]/gu, ''));
      return parts(raw, [{ term, start: 0, end: raw.length, surface: null, stopWord: false }], [], false);
    }
    // Loops, not patterns: a run of a million signs must not be tried from every one of them.
    let from = 0;
    let to = raw.length;
    // Marks have nothing to stand on here: `=` and a stroke is a decomposed ≠.
    while (from < to && (SIGNS.has(raw.charAt(from)) || (!ascii && MARK.test(raw.charAt(from))))) from++;
    while (to > from && SIGNS.has(raw.charAt(to - 1))) to--;
    if (from === to) return NO_PARTS;
    const lead = raw.slice(0, from);
    const tail = raw.slice(to);
    const name = raw.slice(from, to);
    if (SIMPLE.test(name) && lead === '' && !/[+#]/.test(tail)) {
      return this.#simple(name);
    }
    const joined = apostrophes(name);
    const words = nameParts(joined).flatMap(({ start, end }) =>
      this.#wordsOf(name.slice(start, end), from + start),
    );
    const wholes = new Set(wholeForms(joined.trimEnd(), normalForm).map(limitTerm));
    const symbols = symbolForm(lead, name, tail);
    if (symbols) wholes.add(limitTerm(symbols));
    for (const word of words) wholes.delete(word.term);
    wholes.delete('');
    const plain = /^[\p{L}\p{M}'’-]+$/u.test(name) && !isCamel(name);
    return parts(raw, words, [...wholes], wholes.size > 0 && (!plain || symbols !== null));
  }

  /** The words of a stretch without signs: one, or several where scripts meet or are written without spaces. */
  #wordsOf(text: string, offset: number): AnalyzedWord[] {
    if (SIMPLE.test(text)) return [{ ...this.#simpleWord(text), start: offset, end: offset + text.length }];
    if (!isUnspaced(text)) return [this.#latinWord(text, offset, text.length)];
    return splitRuns(text).flatMap((run) => {
      const piece = text.slice(run.start, run.end);
      const at = offset + run.start;
      if (run.kind === 'cjk') return bigrams(piece, at);
      if (run.kind === 'segmented') return this.#segments(piece, at);
      return [this.#latinWord(piece, at, piece.length)];
    });
  }

  /** What the long way gives for a word that matches SIMPLE, without its tests: most tokens of English are one. */
  #simple(raw: string): TokenParts {
    const word = this.#simpleWord(raw);
    return {
      raw,
      start: 0,
      end: raw.length,
      words: [word],
      wholes: NONE,
      identifier: false,
      indexed: { words: word.term, exact: word.surface ?? '' },
    };
  }

  #simpleWord(word: string): AnalyzedWord {
    const normal = limitTerm(word.toLowerCase());
    const stemmed = SMALL_LETTERS.test(word);
    const term = stemmed ? this.#stem(normal) : normal;
    const surface = normal === term ? null : normal;
    return { term, start: 0, end: word.length, surface, stopWord: stemmed && this.#stops.has(normal) };
  }

  #stem(word: string): string {
    let found = this.#stems.get(word);
    if (found === undefined) {
      if (this.#stems.size >= MAX_STEMS) this.#stems.clear();
      found = stemmer(word) || word;
      this.#stems.set(word, found);
    }
    return found;
  }

  #latinWord(word: string, start: number, length: number): AnalyzedWord {
    const normal = limitTerm(normalForm(word));
    const plain = normal.replace(/['’]/g, '');
    const folded = limitTerm(foldMarks(plain));
    // Acronyms, mixed case (iOS) and words with digits are names: a stem would make them something else.
    const named =
      /\p{N}/u.test(word) ||
      (word.length > 1 && word.length <= 5 && word === word.toUpperCase()) ||
      /.\p{Lu}/u.test(word);
    const plural = /^\p{Lu}{2,}s$/u.test(word);
    const term = plural
      ? folded.slice(0, -1)
      : named || !/^[a-z]+$/.test(folded)
        ? folded
        : this.#stem(folded);
    const acronym = word.length > 1 && word === word.toUpperCase() && word !== word.toLowerCase();
    return {
      term,
      start,
      end: start + length,
      surface: plain !== term ? plain : null,
      stopWord: !acronym && (this.#stops.has(normal) || this.#stops.has(plain)),
    };
  }

  #segments(run: string, offset: number): AnalyzedWord[] {
    this.#segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
    const words: AnalyzedWord[] = [];
    for (const { segment, index } of this.#segmenter.segment(run)) {
      const term = limitTerm(normalForm(segment));
      if (/[\p{L}\p{N}]/u.test(term)) {
        const start = offset + index;
        words.push({ term, start, end: start + segment.length, surface: null, stopWord: false });
      }
    }
    return words;
  }
}

/** Overlapping pairs of characters, and the last character alone, so that a prefix finds every single one. */
function bigrams(run: string, offset: number): AnalyzedWord[] {
  const normal = normalForm(run);
  const characters = [...normal.replace(/\p{M}/gu, '')];
  const sameLength = normal.length === run.length && characters.join('').length === run.length;
  const words: AnalyzedWord[] = [];
  let at = 0;
  characters.forEach((character, i) => {
    const term = character + (characters[i + 1] ?? '');
    words.push({
      term,
      start: offset + (sameLength ? at : 0),
      end: offset + (sameLength ? at + term.length : run.length),
      surface: null,
      stopWord: false,
    });
    at += character.length;
  });
  return words;
}

function parts(
  raw: string,
  words: readonly AnalyzedWord[],
  wholes: readonly string[],
  identifier: boolean,
): TokenParts {
  const kept = words.filter((word) => word.term !== '');
  const indexed = { words: '', exact: '' };
  for (const word of kept) {
    indexed.words += indexed.words === '' ? word.term : ` ${word.term}`;
    if (word.surface !== null) indexed.exact += indexed.exact === '' ? word.surface : ` ${word.surface}`;
  }
  for (const whole of wholes) indexed.exact += indexed.exact === '' ? whole : ` ${whole}`;
  return { raw, start: 0, end: raw.length, words: kept, wholes, identifier, indexed };
}

/**
 * Apostrophes within a name: a possessive 's is blanked, one after a single letter joins two words (l'eau), any other
 * holds its word together (don't). Keeps the length, so that offsets stay.
 */
function apostrophes(name: string): string {
  if (!/['’]/.test(name)) return name;
  return name
    .replace(/['’]s(?=$|[._/\\@:#+-])/giu, (found, at: number) =>
      at + found.length === name.length ? '  ' : '--',
    )
    .replace(/(?<![\p{L}\p{N}])(\p{L})['’](?=\p{L}{2})/gu, '$1-');
}

/** C++, C#, .NET: the signs are part of the name. */
function symbolForm(lead: string, name: string, tail: string): string | null {
  if (/^\p{L}{1,3}$/u.test(name) && /^(?:\+\+|#)/.test(tail))
    return normalForm(name + (tail.startsWith('#') ? '#' : '++'));
  if (/^[.#@]$/.test(lead.slice(-1)) && /^\p{L}[\p{L}\p{N}_-]*$/u.test(name))
    return normalForm(lead.slice(-1) + name);
  return null;
}
