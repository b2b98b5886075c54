/** A fenced block of a page. */
export interface CodeBlock {
  /** First word after the fence. */
  language: string;
  /** The other words after the fence. */
  words: readonly string[];
  text: string;
  /** Line of the opening fence, from 1. */
  line: number;
}

const FENCE = /^(`{3,})(.*)$/;

/** Every fenced block of a page. Pages of this project fence with backticks at the margin; a fence left open throws. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { fence: string; info: string; line: number; lines: string[] } | null = null;
  for (const [i, text] of markdown.split('\n').entries()) {
    const match = FENCE.exec(text);
    if (open === null) {
      if (match) open = { fence: match[1]!, info: match[2]!.trim(), line: i + 1, lines: [] };
    } else if (match?.[1] === open.fence && match[2] === '') {
      const [language = '', ...words] = open.info.split(/\s+/);
      blocks.push({ language, words, text: open.lines.join('\n'), line: open.line });
      open = null;
    } else {
      open.lines.push(text);
    }
  }
  if (open !== null) throw new Error(`The fence of line ${open.line} is never closed.`);
  return blocks;
}

/** The page without its fenced blocks. */
export function prose(markdown: string): string {
  const lines = markdown.split('\n');
  for (const block of codeBlocks(markdown)) {
    const end = block.line + block.text.split('\n').length;
    for (let i = block.line - 1; i <= end && i < lines.length; i++) lines[i] = '';
  }
  return lines.join('\n');
}
