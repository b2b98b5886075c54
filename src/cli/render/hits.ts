import type { Explanation, Hit, SearchResult, Snippet } from '../../index.js';
import { type Output, printable, printableLine } from '../terminal.js';

/** Hits for a person: rank, score, what it is, and the lines that matched. */
export function renderHits(out: Output, { hits, degraded }: SearchResult): void {
  if (hits.length === 0 && degraded.length === 0) out.note('Nothing found.');
  hits.forEach((hit, i) => {
    out.line(`${String(i + 1).padStart(2)}. ${out.bold(nameOf(hit))}  ${out.dim(detailsOf(hit))}`);
    out.line(`    ${highlighted(out, hit.snippet)}`);
    if (hit.explanation)
      for (const line of explanationLines(hit.explanation)) out.line(`    ${out.dim(line)}`);
  });
}

function nameOf(hit: Hit): string {
  return printableLine(hit.title ?? hit.uri ?? hit.id);
}

function detailsOf(hit: Hit): string {
  const parts = [
    hit.score.toFixed(2),
    hit.kind,
    new Date(hit.occurredAt ?? hit.createdAt).toISOString().slice(0, 10),
  ];
  if (hit.title !== null && hit.uri !== null) parts.push(printableLine(hit.uri));
  if (hit.chunk.headingPath.length > 0) parts.push(printableLine(hit.chunk.headingPath.join(' > ')));
  parts.push(printableLine(hit.id));
  return parts.join(' · ');
}

function highlighted(out: Output, { text, highlights }: Snippet): string {
  let line = '';
  let at = 0;
  for (const [start, end] of highlights) {
    line += printable(text.slice(at, start)) + out.bold(printable(text.slice(start, end)));
    at = end;
  }
  return line + printable(text.slice(at));
}

/** `lexical #1 (4.21 → 0.0164) · exact – · …` and what became of the sum. */
function explanationLines({ streams, fusion, fused, prior, final, matched }: Explanation): string[] {
  const parts = Object.entries(streams).map(([name, stream]) =>
    stream
      ? `${name} #${stream.rank} (${stream.raw.toFixed(2)} → ${stream.contribution.toFixed(4)})`
      : `${name} –`,
  );
  return [
    parts.join(' · '),
    `${fusion.name} ${fused.toFixed(4)} × prior ${prior.factor.toFixed(2)} = ${final.toFixed(4)} · matched: ${printableLine(matched.terms.join(', ')) || '–'}`,
  ];
}
