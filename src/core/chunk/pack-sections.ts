import { type BlockScan, Break } from './scan-markdown.js';
import { type Section, sectionsOf } from './sections.js';
import { type Limits, splitBlocks } from './split-blocks.js';
import type { Range } from './whitespace.js';

/** A passage of a text with the headings it stands under. */
export interface Passage extends Range {
  headingPath: readonly string[];
}

/** A section as the parts that are packed. */
interface Parts {
  section: Section;
  parts: readonly (Range & { heading: boolean })[];
  end: number;
}

/** Packs the blocks of every section up to the target, and small sections with those that follow. */
export function packSections(text: string, scan: BlockScan, limits: Limits): Passage[] {
  const passages: Passage[] = [];
  let open: OpenPassage | null = null;
  for (const whole of sectionParts(text, scan, limits)) {
    whole.parts.forEach((part, i) => {
      const joins =
        open !== null &&
        (i === 0
          ? joinsAcross(open, whole, part, limits)
          : joinsWithin(open, part, i === whole.parts.length - 1, limits));
      if (open !== null && joins) {
        open = extend(open, part, whole.section);
      } else {
        if (open !== null) passages.push(closed(open));
        open = {
          start: part.start,
          end: part.end,
          section: whole.section,
          first: whole.section,
          bare: part.heading,
        };
      }
    });
  }
  if (open !== null) passages.push(closed(open));
  return passages;
}

interface OpenPassage extends Range {
  /** The section whose headings the passage gets. */
  section: Section;
  first: Section;
  /** Whether it holds headings only so far. */
  bare: boolean;
}

function* sectionParts(text: string, scan: BlockScan, limits: Limits): Generator<Parts> {
  for (const section of sectionsOf(scan)) {
    const body = section.firstLine + section.headingLines;
    const parts = [
      ...splitBlocks(text, scan, section.firstLine, body, limits, Break.nested).map((range) => ({
        ...range,
        heading: true,
      })),
      ...splitBlocks(text, scan, body, section.endLine, limits, Break.block).map((range) => ({
        ...range,
        heading: false,
      })),
    ];
    const last = parts.at(-1);
    if (last) yield { section, parts, end: last.end };
  }
}

function joinsWithin(open: OpenPassage, part: Range, last: boolean, limits: Limits): boolean {
  const length = part.end - open.start;
  if (length <= limits.target) return true;
  // A heading or lead-in alone, or a short rest, is a poor passage.
  const short = open.end - open.start < limits.min || (last && part.end - part.start < limits.min);
  return short && length <= limits.max;
}

/** Whether a passage goes on over the heading of the next section: never to one further out. */
function joinsAcross(open: OpenPassage, next: Parts, part: Range, limits: Limits): boolean {
  if (next.section.level < open.first.level) return false;
  if (open.end - open.start < limits.min && next.end - open.start <= limits.target) return true;
  // A heading without a text of its own leads into its first subsection.
  return open.bare && next.section.level > open.section.level && part.end - open.start <= limits.max;
}

function extend(open: OpenPassage, part: Range & { heading: boolean }, section: Section): OpenPassage {
  const deeper = open.bare && section.level > open.section.level;
  return {
    start: open.start,
    end: part.end,
    first: open.first,
    section: deeper ? section : open.section,
    bare: open.bare && part.heading,
  };
}

function closed(open: OpenPassage): Passage {
  return { start: open.start, end: open.end, headingPath: open.section.path };
}
