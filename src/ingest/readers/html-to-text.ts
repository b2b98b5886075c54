import { Parser } from 'htmlparser2';

/** What a page says. */
export interface HtmlPage {
  title: string;
  /** The first heading of level 1. */
  heading: string;
  /** The body as markdown-like text: headings, paragraphs, lists, tables by rows, code blocks. */
  text: string;
  /** Contents of `<meta>` by lower-case name; the first of several. */
  meta: Map<string, string>;
  /** The page's `lang`. */
  language: string;
}

/** Elements whose contents are no text of the page. */
const SKIPPED = new Set([
  ...['script', 'style', 'nav', 'noscript', 'template', 'svg', 'math', 'iframe', 'object', 'canvas'],
  ...['audio', 'video', 'select', 'button', 'textarea', 'datalist', 'dialog'],
]);

/** Elements that stand in paragraphs of their own. */
const BLOCKS = new Set([
  ...[
    'address',
    'article',
    'aside',
    'blockquote',
    'body',
    'caption',
    'center',
    'dd',
    'details',
    'div',
    'dl',
    'dt',
  ],
  ...[
    'fieldset',
    'figcaption',
    'figure',
    'footer',
    'form',
    'header',
    'hgroup',
    'hr',
    'html',
    'legend',
    'main',
  ],
  ...[
    'ol',
    'p',
    'pre',
    'search',
    'section',
    'summary',
    'table',
    'tbody',
    'tfoot',
    'thead',
    'tr',
    'ul',
    'head',
  ],
]);

const HEADING = /^h[1-6]$/;
/** Deeper lists are indented no further. */
const MAX_INDENT = 8;

/** Turns HTML, also broken one, into text. Takes time linear in its length. */
export function htmlToText(html: string): HtmlPage {
  const writer = new PageWriter();
  const parser = new Parser(
    {
      onopentag: (name, attributes) => writer.open(name, attributes),
      ontext: (text) => writer.text(text),
      onclosetag: (name) => writer.close(name),
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  );
  parser.end(html);
  return writer.page();
}

class PageWriter {
  readonly #meta = new Map<string, string>();
  readonly #out: string[] = [];
  #title: string | null = null;
  #heading: string | null = null;
  #language = '';
  /** Text of the open paragraph, by pieces. */
  #line: string[] = [];
  /** What the open paragraph begins with: a heading's or list item's mark. */
  #mark = '';
  /** Whether the open paragraph follows the last one without a blank line, as list items and table rows do. */
  #tight = false;
  #collect: { into: 'title' | 'heading'; pieces: string[] } | null = null;
  /** Elements open inside one whose contents are skipped, that one with them. */
  #skipped: string[] = [];
  readonly #lists: { ordered: boolean; next: number }[] = [];
  #pre: string[] | null = null;
  #preDepth = 0;
  #cells = 0;

  open(name: string, attributes: Record<string, string>): void {
    if (this.#skipped.length > 0 || SKIPPED.has(name) || hidden(attributes)) {
      if (!VOID.has(name)) this.#skipped.push(name);
      return;
    }
    if (name === 'html') this.#language = attributes.lang?.trim().slice(0, 40) ?? '';
    if (name === 'meta') this.#readMeta(attributes);
    else if (name === 'title' && this.#title === null) this.#collect = { into: 'title', pieces: [] };
    else if (this.#pre) {
      if (name === 'pre') this.#preDepth++;
      if (name === 'br') this.#pre.push('\n');
    } else if (name === 'br') this.#line.push('\n');
    else if (name === 'img') this.#line.push(` ${attributes.alt ?? ''} `);
    else if (name === 'td' || name === 'th') {
      if (this.#cells++ > 0) this.#line.push(' | ');
    } else this.#openBlock(name);
  }

  text(text: string): void {
    if (this.#skipped.length > 0) return;
    if (this.#collect) this.#collect.pieces.push(text);
    if (this.#collect?.into === 'title') return;
    if (this.#pre) this.#pre.push(text);
    else this.#line.push(text.replace(/\s+/g, ' '));
  }

  close(name: string): void {
    if (this.#skipped.length > 0) {
      const at = this.#skipped.lastIndexOf(name);
      if (at !== -1) this.#skipped.length = at;
      return;
    }
    if (name === 'title' && this.#collect?.into === 'title') {
      this.#title = this.#collect.pieces.join('');
      this.#collect = null;
    } else if (this.#pre) {
      if (name === 'pre' && --this.#preDepth === 0) this.#endPre();
    } else if (HEADING.test(name)) {
      if (this.#collect?.into === 'heading') {
        this.#heading = this.#collect.pieces.join('');
        this.#collect = null;
      }
      this.#endParagraph();
    } else if (name === 'li') {
      this.#endParagraph();
      this.#tight = true;
    } else if (BLOCKS.has(name)) {
      this.#endParagraph();
      if (name === 'ul' || name === 'ol') this.#lists.pop();
      if (name === 'tr') this.#tight = true;
      else if (this.#lists.length === 0) this.#tight = false;
    }
  }

  page(): HtmlPage {
    if (this.#pre) this.#endPre();
    this.#endParagraph();
    return {
      title: this.#title ?? '',
      heading: this.#heading ?? '',
      text: this.#out.join('').trim(),
      meta: this.#meta,
      language: this.#language,
    };
  }

  #openBlock(name: string): void {
    if (HEADING.test(name)) {
      this.#endParagraph();
      this.#tight = false;
      this.#mark = `${'#'.repeat(Number(name[1]))} `;
      if (name === 'h1' && this.#heading === null) this.#collect ??= { into: 'heading', pieces: [] };
    } else if (name === 'li') {
      this.#endParagraph();
      const list = this.#lists.at(-1);
      const indent = '  '.repeat(Math.min(MAX_INDENT, Math.max(0, this.#lists.length - 1)));
      this.#mark = `${indent}${list?.ordered ? `${list.next++}.` : '-'} `;
    } else if (name === 'pre') {
      this.#endParagraph();
      this.#pre = [];
      this.#preDepth = 1;
    } else if (BLOCKS.has(name)) {
      // A paragraph that opens a list item is the item's own.
      if (this.#line.join('').trim() !== '') this.#endParagraph();
      if (name === 'ul' || name === 'ol') {
        if (this.#lists.length > 0) this.#tight = true;
        this.#lists.push({ ordered: name === 'ol', next: 1 });
      }
      if (name === 'tr') this.#cells = 0;
    }
  }

  #endParagraph(): void {
    const lines = this.#line
      .join('')
      .split('\n')
      .map((line) => line.replace(/\s+/g, ' ').trim())
      .filter((line) => line !== '');
    this.#line = [];
    if (lines.length > 0 && !lines.every((line) => /^[|\s]*$/.test(line))) {
      // A heading is one line.
      const text = this.#mark.startsWith('#') ? lines.join(' ') : lines.join('\n');
      this.#write(this.#mark + text);
      this.#tight = false;
      this.#mark = '';
    } else if (this.#mark.startsWith('#')) this.#mark = '';
  }

  #endPre(): void {
    const code = (this.#pre ?? []).join('').replace(/\r\n?/g, '\n').replace(/^\n/, '').trimEnd();
    this.#pre = null;
    this.#tight = false;
    this.#mark = '';
    if (code.trim() === '') return;
    const longest = (code.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
    const fence = '`'.repeat(longest + 1);
    this.#write(`${fence}\n${code}\n${fence}`);
  }

  #write(block: string): void {
    this.#out.push(this.#tight ? '\n' : '\n\n', block);
  }

  #readMeta(attributes: Record<string, string>): void {
    const name = (attributes.name ?? attributes.property ?? attributes.itemprop ?? '').trim().toLowerCase();
    const content = attributes.content;
    if (name !== '' && content !== undefined && !this.#meta.has(name)) this.#meta.set(name, content);
  }
}

/** Elements that have no end. */
const VOID = new Set([
  ...['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'],
]);

function hidden(attributes: Record<string, string>): boolean {
  return 'hidden' in attributes || attributes['aria-hidden'] === 'true';
}
