/** Cells of a table row, by its unescaped pipes; pipes at the ends do not count. */
export function countCells(row: string): number {
  const line = row.trim();
  let cells = 1;
  for (let i = 0; i < line.length; i++) {
    const char = line[i];
    if (char === '\\') i++;
    else if (char === '|' && i > 0 && i < line.length - 1) cells++;
  }
  return cells;
}

/** Cells of a delimiter row such as `| --- | :-: |`, or 0 when the line is none. */
export function delimiterCells(row: string): number {
  const line = row.trim();
  if (!/^[|:\-\s]+$/.test(line) || !line.includes('-')) return 0;
  // Dashes alone underline a heading.
  if (!line.includes('|') && !line.includes(':')) return 0;
  const cells = line.replace(/^\|/, '').replace(/\|$/, '').split('|');
  return cells.every((cell) => /^:?-+:?$/.test(cell.trim())) ? cells.length : 0;
}
