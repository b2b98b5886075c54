/**
 * Compares what a page shows with what came out, line by line; null when they agree. In a shown line `…` stands for
 * anything; a line that is only `…` stands for any number of lines.
 */
export function outputMismatch(shown: readonly string[], actual: readonly string[]): string | null {
  const pattern = shown.map((line) =>
    line.trim() === '…'
      ? '(?:[^\\n]*\\n)*?'
      : `${line.trimEnd().split('…').map(escapePattern).join('[^\\n]*')}\\n`,
  );
  const text = actual.map((line) => `${line.trimEnd()}\n`).join('');
  if (new RegExp(`^${pattern.join('')}$`).test(text)) return null;
  return `The page shows:\n${shown.join('\n')}\n\nbut this came out:\n${actual.join('\n')}`;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
