/**
 * Text as it is stored: a leading byte order mark is removed and halves of surrogate pairs become U+FFFD,
 * since they would not survive UTF-8 and the stored form is what is hashed and compared. All else stays.
 */
export function cleanText(text: string): string {
  const withoutMark = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return withoutMark.isWellFormed() ? withoutMark : withoutMark.toWellFormed();
}
