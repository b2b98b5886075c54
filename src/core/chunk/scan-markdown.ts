import { headingText } from './heading-text.js';
import { HTML_SCAN, type HtmlBlock, htmlStart } from './html-block.js';
import { LineCursor } from './line-cursor.js';
import { type Lines, splitLines } from './lines.js';
import { countCells, delimiterCells } from './table-row.js';

/** How good a place before a line is to cut at; higher is better. */
export const Break = {
  /** Inside a code fence. */
  fenced: -1,
  line: 0,
  /** A block inside a list item or quotation. */
  nested: 1,
  /** An item of an outermost list, but its first. */
  item: 2,
  /** A block of the document itself. */
  block: 3,
} as const;

/** A heading of the document itself, not of a quotation or list. */
export interface Heading {
  /** Its first line; a setext heading may have several and its underline. */
  line: number;
  lastLine: number;
  level: number;
  /** Plain text; may be empty. */
  title: string;
}

/** A code fence at any depth, from its opening to its closing line (or the last line of what holds it). */
export interface Fence {
  line: number;
  lastLine: number;
}

/** What a text looks like, line by line. */
export interface BlockScan {
  lines: Lines;
  /** For every line, the {@link Break} before it. */
  breaks: Int8Array;
  headings: Heading[];
  fences: Fence[];
}

/** What continuation lines of an open container begin with: `>`, or for a list item an indent of `width` columns. */
type Container = { width: 0 } | { width: number; filled: boolean };

type Leaf =
  | { kind: 'paragraph' | 'table'; line: number }
  | { kind: 'fence'; mark: string; length: number; fence: Fence }
  | { kind: 'html'; html: HtmlBlock }
  | { kind: 'indented' };

/** Deeper quotations and lists are read as text: nobody writes them, and their cost is bounded. */
const MAX_DEPTH = 50;

const ATX = /^(#{1,6})(?:[ \t]+|$)/;
const MARKER = /^(?:[-+*]|(\d{1,9})[.)])(?=[ \t]|$)/;
/** Longer lines are no table's delimiter row. */
const MAX_DELIMITER_ROW = 4000;

/**
 * Finds the blocks of a markdown text from an offset (a line start) on, by the block rules of CommonMark with
 * GFM tables, in one pass over its lines. Link reference definitions and footnotes are read as paragraphs.
 */
export function scanMarkdown(text: string, from: number): BlockScan {
  return new MarkdownScanner(text, from).scan();
}

class MarkdownScanner {
  readonly #text: string;
  readonly #cursor: LineCursor;
  readonly #scan: BlockScan;
  #stack: Container[] = [];
  #leaf: Leaf | null = null;
  /** Marker of the list that the document's latest block is; '' when it is no list. */
  #list = '';
  #line = 0;

  constructor(text: string, from: number) {
    const lines = splitLines(text, from);
    this.#text = text;
    this.#cursor = new LineCursor(text);
    this.#scan = { lines, breaks: new Int8Array(lines.starts.length), headings: [], fences: [] };
  }

  scan(): BlockScan {
    const { starts, ends } = this.#scan.lines;
    for (this.#line = 0; this.#line < starts.length; this.#line++) {
      this.#cursor.reset(starts[this.#line] ?? 0, ends[this.#line] ?? 0);
      this.#readLine();
    }
    return this.#scan;
  }

  #readLine(): void {
    const matched = this.#matchContainers();
    const all = matched === this.#stack.length;
    if (all && this.#continueVerbatim()) return;
    if (this.#leaf?.kind === 'fence' || this.#leaf?.kind === 'html') this.#leaf = null;
    if (this.#cursor.blank) {
      this.#closeTo(matched);
      if (this.#leaf?.kind !== 'indented' || !all) this.#leaf = null;
      return;
    }
    // Containers that this line opens, then at most one leaf.
    let depth = matched;
    let fresh = false;
    for (;;) {
      const paragraph = !fresh && this.#leaf?.kind === 'paragraph';
      if (this.#cursor.indent >= 4) {
        if (paragraph) break;
        this.#indentedCode(depth, all && !fresh);
        return;
      }
      if (this.#startLeaf(depth, paragraph, all)) return;
      if (depth >= MAX_DEPTH || !this.#startContainer(depth, paragraph && all)) break;
      depth++;
      fresh = true;
      if (this.#cursor.blank) return;
    }
    this.#textLine(depth, all, fresh);
  }

  /** How many open containers go on in this line; the cursor stands behind their prefixes. */
  #matchContainers(): number {
    const cursor = this.#cursor;
    let matched = 0;
    for (const container of this.#stack) {
      if (!('filled' in container)) {
        if (cursor.blank || cursor.indent > 3 || cursor.code !== 0x3e) break;
        this.#skipQuoteMark();
      } else if (cursor.blank) {
        if (!container.filled) break;
      } else {
        if (cursor.indent < container.width) break;
        cursor.skipColumns(container.width);
      }
      matched++;
    }
    return matched;
  }

  /** Takes the line into an open fence or HTML block, where nothing else can start. */
  #continueVerbatim(): boolean {
    const leaf = this.#leaf;
    const cursor = this.#cursor;
    if (leaf?.kind === 'fence') {
      this.#scan.breaks[this.#line] = Break.fenced;
      leaf.fence.lastLine = this.#line;
      if (!cursor.blank && cursor.indent < 4 && this.#closesFence(leaf)) this.#leaf = null;
      return true;
    }
    if (leaf?.kind === 'html') {
      if (leaf.html.end === null) {
        if (cursor.blank) return false;
      } else if (leaf.html.end.test(cursor.rest())) this.#leaf = null;
      return true;
    }
    return false;
  }

  #closesFence(leaf: { mark: string; length: number }): boolean {
    if (String.fromCharCode(this.#cursor.code) !== leaf.mark) return false;
    const rest = this.#cursor.rest().trimEnd();
    return rest.length >= leaf.length && runLength(rest, leaf.mark) === rest.length;
  }

  /** Opens (and often ends) the block that the line's first character announces. */
  #startLeaf(depth: number, paragraph: boolean, all: boolean): boolean {
    const cursor = this.#cursor;
    switch (String.fromCharCode(cursor.code)) {
      case '#': {
        const atx = ATX.exec(cursor.rest(8));
        if (!atx) return false;
        this.#open(depth);
        const source = withoutClosing(cursor.rest().slice(atx[0].trimEnd().length));
        this.#heading(this.#line, atx[1]?.length ?? 1, source);
        return true;
      }
      case '`':
      case '~': {
        const rest = cursor.rest();
        const mark = rest.charAt(0);
        const length = runLength(rest, mark);
        if (length < 3 || (mark === '`' && rest.includes(mark, length))) return false;
        this.#open(depth);
        const fence = { line: this.#line, lastLine: this.#line };
        this.#scan.fences.push(fence);
        this.#leaf = { kind: 'fence', mark, length, fence };
        return true;
      }
      case '<': {
        const html = htmlStart(cursor.rest(HTML_SCAN), paragraph);
        if (!html) return false;
        const ended = html.end?.test(cursor.rest()) ?? false;
        this.#open(depth);
        this.#leaf = ended ? null : { kind: 'html', html };
        return true;
      }
      case '=':
      case '-':
        if (paragraph && all && isUnderline(cursor.rest())) {
          this.#setext();
          return true;
        }
        return cursor.code === 0x2d && this.#thematicBreak(depth);
      case '*':
      case '_':
        return this.#thematicBreak(depth);
      default:
        return false;
    }
  }

  #thematicBreak(depth: number): boolean {
    if (!isThematicBreak(this.#cursor.rest())) return false;
    this.#open(depth);
    return true;
  }

  /** The paragraph above turns out to be a heading. */
  #setext(): void {
    const leaf = this.#leaf;
    if (leaf?.kind !== 'paragraph') return;
    this.#leaf = null;
    if (this.#stack.length > 0) return;
    const { starts } = this.#scan.lines;
    const source = this.#text.slice(starts[leaf.line], starts[this.#line]);
    this.#heading(leaf.line, this.#cursor.code === 0x3d ? 1 : 2, source);
  }

  #heading(line: number, level: number, source: string): void {
    if (this.#stack.length > 0) return;
    this.#scan.headings.push({ line, lastLine: this.#line, level, title: headingText(source) });
  }

  #startContainer(depth: number, interrupts: boolean): boolean {
    const cursor = this.#cursor;
    if (cursor.code === 0x3e) {
      this.#open(depth);
      this.#skipQuoteMark();
      this.#stack.push({ width: 0 });
      return true;
    }
    const marker = MARKER.exec(cursor.rest(11));
    if (!marker) return false;
    const length = marker[0].length;
    const before = cursor.indent;
    const empty = this.#text.slice(cursor.next + length, cursor.end).trim() === '';
    // A number or dash in the middle of a sentence, wrapped to a line's start, begins no list.
    if (interrupts && (empty || (marker[1] !== undefined && Number(marker[1]) !== 1))) return false;
    this.#open(depth, marker[0].slice(-1));
    cursor.skipMarker(length);
    const gap = cursor.blank || cursor.indent > 4 ? 1 : cursor.indent;
    cursor.skipColumns(gap);
    this.#stack.push({ width: before + length + gap, filled: !empty });
    return true;
  }

  /** Past `>` and the one column of white space that belongs to it. */
  #skipQuoteMark(): void {
    this.#cursor.skipMarker(1);
    if (this.#cursor.indent > 0) this.#cursor.skipColumns(1);
  }

  #indentedCode(depth: number, continues: boolean): void {
    if (continues && this.#leaf?.kind === 'indented') return;
    this.#open(depth);
    this.#leaf = { kind: 'indented' };
  }

  /** A line of words: goes on with a paragraph or table, or begins a paragraph. */
  #textLine(depth: number, all: boolean, fresh: boolean): void {
    const leaf = fresh ? null : this.#leaf;
    if (leaf?.kind === 'paragraph') {
      // Without its prefixes this is a lazy continuation: the containers stay open.
      if (all && this.#isDelimiterRow()) this.#leaf = { kind: 'table', line: this.#line - 1 };
      return;
    }
    if (leaf?.kind === 'table' && all) return;
    this.#open(depth);
    this.#leaf = { kind: 'paragraph', line: this.#line };
  }

  #isDelimiterRow(): boolean {
    const code = this.#cursor.code;
    if (code !== 0x7c && code !== 0x3a && code !== 0x2d) return false;
    const cells = delimiterCells(this.#cursor.rest(MAX_DELIMITER_ROW));
    if (cells === 0) return false;
    const { starts, ends } = this.#scan.lines;
    const above = this.#text.slice(starts[this.#line - 1], ends[this.#line - 1]);
    return countCells(above.replace(/^[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*/, '')) === cells;
  }

  /** Ends what does not go on at this depth and notes that a block begins in this line. */
  #open(depth: number, marker = ''): void {
    this.#closeTo(depth);
    this.#leaf = null;
    const holder = this.#stack.at(-1);
    if (holder && 'filled' in holder) holder.filled = true;
    const found =
      depth > 0 ? Break.nested : marker !== '' && marker === this.#list ? Break.item : Break.block;
    if (depth === 0) this.#list = marker;
    this.#scan.breaks[this.#line] = Math.max(found, this.#scan.breaks[this.#line] ?? 0);
  }

  #closeTo(depth: number): void {
    if (this.#stack.length > depth) {
      this.#stack.length = depth;
      this.#leaf = null;
    }
  }
}

// Loops and no expressions: a line may be megabytes long, and a repeated group would exhaust the stack.

function runLength(line: string, mark: string): number {
  let length = 0;
  while (line[length] === mark) length++;
  return length;
}

/** A setext underline: `===` or `---`. */
function isUnderline(line: string): boolean {
  const length = runLength(line, line.charAt(0));
  return line.slice(length).trim() === '';
}

function isThematicBreak(line: string): boolean {
  const mark = line[0];
  let marks = 0;
  for (let i = 0; i < line.length; i++) {
    const char = line[i];
    if (char === mark) marks++;
    else if (char !== ' ' && char !== '\t') return false;
  }
  return marks >= 3;
}

/** The content of an ATX heading without the `#`s that may close it. */
function withoutClosing(source: string): string {
  const content = source.trimEnd();
  let end = content.length;
  while (content[end - 1] === '#') end--;
  const before = content[end - 1];
  return before === undefined || before === ' ' || before === '\t' ? content.slice(0, end) : content;
}
