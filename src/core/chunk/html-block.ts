/** How far into a line an HTML start is looked for. */
export const HTML_SCAN = 1000;

const UNTIL: readonly (readonly [RegExp, RegExp])[] = [
  [/^<(?:script|pre|style|textarea)(?:\s|>|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![a-z]/i, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
];

const NAMED =
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:\s|\/?>|$)/i;

const WHOLE_TAG =
  /^(?:<[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>|<\/[a-z][a-z0-9-]*\s*>)\s*$/i;

/** How an HTML block ends: at a line that holds `end` (which may be its first), or, without one, at a blank line. */
export interface HtmlBlock {
  end: RegExp | null;
}

/** Whether an HTML block of CommonMark starts here. A lone unknown tag does not end a paragraph. */
export function htmlStart(rest: string, inParagraph: boolean): HtmlBlock | null {
  for (const [start, end] of UNTIL) if (start.test(rest)) return { end };
  if (NAMED.test(rest)) return { end: null };
  return !inParagraph && rest.length < HTML_SCAN && WHOLE_TAG.test(rest) ? { end: null } : null;
}
