/** Letters that stay one letter under Unicode decomposition but are written with two, or without their stroke. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
};

/** Marks whose loss only makes a word plainer: on Latin, Greek and Cyrillic letters. */
const FOLDED_SCRIPTS = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;
/** Vowel signs of Arabic (with the stretching stroke) and Hebrew, which texts give or leave out at will; variation selectors. */
const OPTIONAL_MARKS =
  /[\u064b-\u065f\u0670\u0640\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]|[\ufe00-\ufe0f]/g;
/** What compatibility forms of letters and digits bring along (⑴ is `(1)`) and a term must not hold. */
const NOT_IN_TERMS = /[\s()]+/g;
const NEEDS_LETTERS = /[ßæœøłđðþħıς]/;
const ASCII = /^[\x20-\x7e]*$/;

/** Compatibility form (NFKC), lower case. What two spellings of one word have in common before marks are dropped. */
export function normalForm(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // Lower-casing may decompose (İ), so that the form is composed once more.
  return text.normalize('NFKC').toLowerCase().normalize('NFKC').replace(NOT_IN_TERMS, '');
}

/** A normal form without the marks that writers leave out. Other scripts keep theirs: they are part of the word. */
export function foldMarks(normal: string): string {
  if (ASCII.test(normal)) return normal;
  let text = normal.replace(OPTIONAL_MARKS, '');
  if (FOLDED_SCRIPTS.test(text)) {
    text = text
      .normalize('NFD')
      .replace(/([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{Mn}+/gu, '$1')
      .normalize('NFC');
  }
  if (NEEDS_LETTERS.test(text)) text = text.replace(/[ßæœøłđðþħıς]/g, (letter) => LETTERS[letter] ?? letter);
  return text;
}
