/**
 * Which share of a title's terms the question names, 0 to 1, function words included: a question that holds a whole
 * title asks for that page, one that holds a word of it hardly.
 */
export function titleShare(title: string, question: ReadonlySet<string>): number {
  if (title === '') return 0;
  const terms = new Set(title.split(' '));
  let named = 0;
  for (const term of terms) if (question.has(term)) named++;
  return named / terms.size;
}
