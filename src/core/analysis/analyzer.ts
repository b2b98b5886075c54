import { stemmer } from '@orama/stemmers/english';
import type { AnalyzedToken, AnalyzedWord, Analyzer, IndexedText, Token } from '../../contracts/index.js';
import { foldMarks, normalForm } from './fold.js';
import { isCamel, nameParts, wholeForms } from './identifier.js';
import { isUnspaced, splitRuns } from './scripts.js';
import { stopWords } from './stop-words.js';
import { limitTerm } from './term-length.js';

/** Raise it whenever the same text may give other terms: stored rows of an older version are then analyzed again. */
const ANALYZER_VERSION = 1;

/** Distinct raw tokens kept analyzed. Natural text repeats its words, so that most tokens are a look-up. */
const MAX_CACHED = 50_000;
const MAX_CACHED_LENGTH = 40;

const TOKEN =
  /[\p{L}\p{M}\p{N}_.\-/\\@:#+'’]+|\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic}|\ufe0f|[\u{1f3fb}-\u{1f3ff}])*/gu;
const ASCII_TEXT = /^[\x00-\x7f]*$/;
const PICTURE = /^\p{Extended_Pictographic}/u;
const SIMPLE = /^[A-Za-z]?[a-z]*$/;
const SIGNS = new Set("._-/\\@:#+'’");

/** For each ASCII code, 1 when it may stand in a token. */
function asciiTokenTable(): Uint8Array {
  const table = new Uint8Array(128);
  for (let code = 0; code < 128; code++) {
    if (/[A-Za-z0-9_.\-/\\@:#+']/.test(String.fromCharCode(code))) table[code] = 1;
  }
  return table;
}

/** A raw token taken apart, offsets relative to it. `words` and `exact` are what the index gets. */
interface Analysis {
  parts: readonly AnalyzedWord[];
  wholes: readonly string[];
  identifier: boolean;
  words: string;
  exact: string;
}

/**
 * The analyzer of English and of everything that is not written in Latin letters: Porter stems, folded marks, CJK
 * bigrams, dictionary words for Thai, Lao, Khmer and Burmese, identifiers whole and in parts.
 */
export function createAnalyzer(): Analyzer {
  const stops = stopWords();
  const cache = new Map<string, Analysis>();
  const stems = new Map<string, string>();
  const inToken = asciiTokenTable();
  let segmenter: Intl.Segmenter | undefined;

  function stem(word: string): string {
    let found = stems.get(word);
    if (found === undefined) {
      if (stems.size >= MAX_CACHED) stems.clear();
      found = stemmer(word) || word;
      stems.set(word, found);
    }
    return found;
  }

  function analyze(raw: string): Analysis {
    const cached = cache.get(raw);
    if (cached) return cached;
    const made = takeApart(raw);
    if (raw.length <= MAX_CACHED_LENGTH) {
      if (cache.size >= MAX_CACHED) cache.clear();
      cache.set(raw, made);
    }
    return made;
  }

  function takeApart(raw: string): Analysis {
    if (PICTURE.test(raw)) {
      const term = raw.replace(/[\ufe0f\u{1f3fb}-\u{1f3ff}]/gu, '');
      return finish([{ term, start: 0, end: raw.length, surface: null, stopWord: false }], [], false);
    }
    // Loops, not patterns: a run of a million signs must not be tried from every one of them.
    let from = 0;
    let to = raw.length;
    while (from < to && SIGNS.has(raw[from]!)) from++;
    while (to > from && SIGNS.has(raw[to - 1]!)) to--;
    if (from === to) return NOTHING;
    const lead = raw.slice(0, from);
    const tail = raw.slice(to);
    const name = raw.slice(from, to);
    if (SIMPLE.test(name) && lead === '' && !/[+#]/.test(tail)) {
      return finish([latinWord(name, lead.length, name.length)], [], false);
    }
    const joined = apostrophes(name);
    const parts = nameParts(joined).flatMap(({ start, end }) =>
      wordsOf(name.slice(start, end), lead.length + start),
    );
    const wholes = new Set(wholeForms(joined.trimEnd(), normalForm).map(limitTerm));
    const symbols = symbolForm(lead, name, tail);
    if (symbols) wholes.add(limitTerm(symbols));
    for (const part of parts) wholes.delete(part.term);
    const plain = /^[\p{L}\p{M}'’-]+$/u.test(name) && !isCamel(name);
    return finish(parts, [...wholes], wholes.size > 0 && (!plain || symbols !== null));
  }

  /** The words of a stretch without signs: one, or several where scripts meet or are written without spaces. */
  function wordsOf(text: string, offset: number): AnalyzedWord[] {
    if (!isUnspaced(text)) return [latinWord(text, offset, text.length)];
    return splitRuns(text).flatMap((run) => {
      const piece = text.slice(run.start, run.end);
      const at = offset + run.start;
      if (run.kind === 'cjk') return bigrams(piece, at);
      if (run.kind === 'segmented') return segments(piece, at);
      return [latinWord(piece, at, piece.length)];
    });
  }

  function latinWord(word: string, start: number, length: number): AnalyzedWord {
    const normal = limitTerm(normalForm(word));
    const plain = normal.replace(/['’]/g, '');
    const folded = foldMarks(plain);
    // Acronyms, mixed case (iOS) and words with digits are names: a stem would make them something else.
    const named =
      /\p{N}/u.test(word) ||
      (word.length > 1 && word.length <= 5 && word === word.toUpperCase()) ||
      /.\p{Lu}/u.test(word);
    const plural = /^\p{Lu}{2,}s$/u.test(word);
    const term = plural ? folded.slice(0, -1) : named || !/^[a-z]+$/.test(folded) ? folded : stem(folded);
    const acronym = word.length > 1 && word === word.toUpperCase() && word !== word.toLowerCase();
    return {
      term,
      start,
      end: start + length,
      surface: plain !== term ? plain : null,
      stopWord: !acronym && (stops.has(normal) || stops.has(plain)),
    };
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

  function segments(run: string, offset: number): AnalyzedWord[] {
    segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
    const words: AnalyzedWord[] = [];
    for (const { segment, index } of segmenter.segment(run)) {
      const term = limitTerm(normalForm(segment));
      if (/[\p{L}\p{N}]/u.test(term)) {
        words.push({
          term,
          start: offset + index,
          end: offset + index + segment.length,
          surface: null,
          stopWord: false,
        });
      }
    }
    return words;
  }

  /** Calls back for every raw token of the text. */
  function eachToken(text: string, call: (analysis: Analysis, start: number, end: number) => void): void {
    if (!ASCII_TEXT.test(text)) {
      const pattern = new RegExp(TOKEN);
      for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
        call(analyze(match[0]), match.index, pattern.lastIndex);
      }
      return;
    }
    // Most text is ASCII, where a table look-up a character beats the pattern several times over.
    for (let at = 0; at < text.length; at++) {
      if (!inToken[text.charCodeAt(at)]) continue;
      const start = at;
      while (at < text.length && inToken[text.charCodeAt(at)]) at++;
      call(analyze(text.slice(start, at)), start, at);
    }
  }

  return {
    version: ANALYZER_VERSION,
    index(text: string): IndexedText {
      const words: string[] = [];
      const exact: string[] = [];
      eachToken(text, (analysis) => {
        if (analysis.words !== '') words.push(analysis.words);
        if (analysis.exact !== '') exact.push(analysis.exact);
      });
      return { words: words.join(' '), exact: exact.join(' ') };
    },
    tokens(text: string): Token[] {
      const tokens: Token[] = [];
      eachToken(text, ({ parts }, start) => {
        for (const part of parts)
          tokens.push({ term: part.term, start: start + part.start, end: start + part.end });
      });
      return tokens;
    },
    scan(text: string): AnalyzedToken[] {
      const tokens: AnalyzedToken[] = [];
      eachToken(text, ({ parts, wholes, identifier }, start, end) => {
        const words = parts.map((part) => ({ ...part, start: start + part.start, end: start + part.end }));
        tokens.push({ start, end, words, wholes, identifier });
      });
      return tokens;
    },
  };
}

const NOTHING: Analysis = { parts: [], wholes: [], identifier: false, words: '', exact: '' };

function finish(parts: readonly AnalyzedWord[], wholes: readonly string[], identifier: boolean): Analysis {
  const kept = parts.filter((part) => part.term !== '');
  const surfaces = kept.flatMap((part) => (part.surface === null ? [] : [part.surface]));
  return {
    parts: kept,
    wholes,
    identifier,
    words: kept.map((part) => part.term).join(' '),
    exact: [...surfaces, ...wholes].join(' '),
  };
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
