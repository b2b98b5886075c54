import { type CodeGrammar, grammarOf } from './code-grammar.js';
import { splitLines } from './lines.js';
import { type BlockScan, Break } from './scan-markdown.js';
import { trimRange } from './whitespace.js';

/** A definition, or a stretch of code without a name (`label` empty). `start` is where its comments begin. */
export interface CodePart {
  /** UTF-16 offset of its first character that is not blank. */
  start: number;
  label: string;
}

export interface CodeScan extends BlockScan {
  /** Stretches at the lowest indentation, in order. */
  outer: CodePart[];
  /** Definitions further in, in order. */
  inner: CodePart[];
}

/** How much of a line the patterns see. */
const LINE_CHARS = 200;
/** An attribute over several lines ends at its last bracket, and at the latest after so many lines. */
const ATTRIBUTE_LINES = 60;
const LABEL_CHARS = 80;
const TAB_COLUMNS = 4;
/** Attributes on the line of what they belong to. */
const INLINE_ATTRIBUTES = /^(?:(?:@[\w.]+(?:\([^()]*\))?|#\[[^\]]*\]|template\s*<[^<>]*>)\s+)+/;

interface Found {
  /** Line where the comments and attributes of the definition begin. */
  line: number;
  indent: number;
  label: string;
}

/**
 * Code line by line: where definitions begin, told by keywords and indentation, with the comments and attributes
 * that stand right above them. No parser: what looks like a definition inside a string counts as one.
 */
export function scanCode(text: string, language?: string): CodeScan {
  const lines = splitLines(text, 0);
  const breaks = new Int8Array(lines.starts.length);
  const walk = new CodeWalk(grammarOf(language), breaks);
  lines.starts.forEach((start, i) => {
    walk.line(i, text.slice(start, lines.ends[i]));
  });
  const startOf = (line: number) => trimRange(text, lines.starts[line] ?? 0, lines.ends[line] ?? 0).start;
  const indents = [...new Set(walk.found.map(({ indent }) => indent))].sort((a, b) => a - b);
  const outerIndent = indents[0] ?? 0;
  const outer: CodePart[] = [];
  const inner: CodePart[] = [];
  for (const { line, indent, label } of walk.found) {
    breaks[line] = indent === outerIndent ? Break.block : indent === indents[1] ? Break.item : Break.nested;
    (indent === outerIndent ? outer : inner).push({ start: startOf(line), label });
  }
  // A statement at the lowest indentation after a blank line belongs to no definition above it.
  for (const { line, indent } of walk.afterBlank) {
    if ((breaks[line] ?? 0) > Break.nested) continue;
    if (indent > 0) breaks[line] = Break.nested;
    else {
      breaks[line] = Break.block;
      outer.push({ start: startOf(line), label: '' });
    }
  }
  outer.sort((a, b) => a.start - b.start);
  return { lines, breaks, headings: [], fences: [], outer, inner };
}

class CodeWalk {
  readonly found: Found[] = [];
  readonly afterBlank: { line: number; indent: number }[] = [];
  readonly #grammar: CodeGrammar;
  readonly #breaks: Int8Array;
  /** First line of the comments and attributes right above, or -1. */
  #lead = -1;
  #inComment = false;
  #attribute: { depth: number; quoted: boolean; lines: number } | null = null;
  #blank = true;

  constructor(grammar: CodeGrammar, breaks: Int8Array) {
    this.#grammar = grammar;
    this.#breaks = breaks;
  }

  line(i: number, line: string): void {
    const code = line.trim();
    if (this.#inComment) {
      this.#breaks[i] = Break.fenced;
      if (this.#closes(code, 0)) this.#inComment = false;
      return;
    }
    if (this.#attribute) {
      this.#breaks[i] = Break.fenced;
      this.#goOn(code);
      return;
    }
    if (code === '') {
      this.#blank = true;
      this.#lead = -1;
      return;
    }
    const indent = indentOf(line);
    if (this.#blank && !/^(?:[})\]]|end\b)/.test(code)) this.afterBlank.push({ line: i, indent });
    this.#blank = false;
    const { attribute, lineComment, blockComment } = this.#grammar;
    const head = code.slice(0, LINE_CHARS);
    if (blockComment && head.startsWith(blockComment[0])) {
      this.#startLead(i);
      this.#inComment = !this.#closes(code, blockComment[0].length);
      return;
    }
    const label = this.#label(head.replace(INLINE_ATTRIBUTES, ''), indent);
    if (label === null && attribute?.test(head)) {
      this.#startLead(i);
      this.#attribute = { depth: 0, quoted: false, lines: 0 };
      this.#goOn(code);
      return;
    }
    if (label !== null) {
      this.found.push({ line: this.#lead === -1 ? i : this.#lead, indent, label });
      this.#lead = -1;
    } else if (lineComment?.test(head)) this.#startLead(i);
    else this.#lead = -1;
  }

  #startLead(i: number): void {
    if (this.#lead === -1) this.#lead = i;
  }

  #closes(code: string, from: number): boolean {
    const close = this.#grammar.blockComment?.[1];
    return close === undefined || code.includes(close, from);
  }

  #goOn(code: string): void {
    const open = this.#attribute;
    if (!open) return;
    if ((code.split('"""').length - 1) % 2 === 1) open.quoted = !open.quoted;
    if (!open.quoted)
      for (const char of code) open.depth += '([{'.includes(char) ? 1 : ')]}'.includes(char) ? -1 : 0;
    open.lines++;
    if ((open.depth <= 0 && !open.quoted) || open.lines >= ATTRIBUTE_LINES) this.#attribute = null;
  }

  #label(head: string, indent: number): string | null {
    const { definitions, outermost } = this.#grammar;
    for (const pattern of indent === 0 ? [...definitions, ...outermost] : definitions) {
      const groups = pattern.exec(head)?.groups;
      if (!groups) continue;
      const label = `${groups.kind ?? ''} ${groups.name ?? ''}`.replace(/\s+/g, ' ').trim();
      return label
        .slice(0, LABEL_CHARS)
        .toWellFormed()
        .replace(/\uFFFD$/, '')
        .trim();
    }
    return null;
  }
}

function indentOf(line: string): number {
  let columns = 0;
  for (const char of line) {
    if (char === ' ') columns++;
    else if (char === '\t') columns += TAB_COLUMNS;
    else break;
  }
  return columns;
}
