import type { BlockScan } from './scan-markdown.js';

/** Lines [firstLine, endLine) from a heading to the next, or those before the first heading. */
export interface Section {
  firstLine: number;
  endLine: number;
  /** How many of the first lines are the heading itself; 0 before the first heading. */
  headingLines: number;
  /** 1 to 6; 0 before the first heading. */
  level: number;
  /** Plain texts of the headings that hold here, outermost first, the section's own last. */
  path: readonly string[];
}

/** Parts a scanned text at its headings. Sections follow each other and cover all lines. */
export function sectionsOf(scan: BlockScan): Section[] {
  const lineCount = scan.lines.starts.length;
  const sections: Section[] = [];
  const open: { level: number; title: string }[] = [];
  const firstHeading = scan.headings[0]?.line ?? lineCount;
  if (firstHeading > 0) {
    sections.push({ firstLine: 0, endLine: firstHeading, headingLines: 0, level: 0, path: [] });
  }
  scan.headings.forEach(({ line, lastLine, level, title }, i) => {
    while (open.length > 0 && (open.at(-1)?.level ?? 0) >= level) open.pop();
    open.push({ level, title });
    sections.push({
      firstLine: line,
      endLine: scan.headings[i + 1]?.line ?? lineCount,
      headingLines: lastLine - line + 1,
      level,
      path: open.map((heading) => heading.title).filter((text) => text !== ''),
    });
  });
  return sections;
}
