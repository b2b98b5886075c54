/** Signs that hold the parts of one name together. */
const SEPARATOR = /[._/\\@:#+\-\s]+/;
/** Where camelCase and PascalCase have their borders; a single small letter in front (iOS, eBay) is no word. */
const CAMEL = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const SMALL_PREFIX = /^\p{Ll}\p{Lu}/u;
const ACRONYM_PLURAL = /^\p{Lu}{2,}s$/u;
const PLAIN = /^[A-Za-z]?[a-z0-9]*$/;
const HAS_LETTER = /\p{L}/u;

/** The parts of a name as offsets, split at signs and at the borders of camelCase. */
export function nameParts(name: string): { start: number; end: number }[] {
  const parts: { start: number; end: number }[] = [];
  let at = 0;
  for (const piece of name.split(SEPARATOR)) {
    const start = name.indexOf(piece, at);
    at = start + piece.length;
    if (piece === '') continue;
    let from = start;
    for (const word of isCamel(piece) ? piece.split(CAMEL) : [piece]) {
      parts.push({ start: from, end: from + word.length });
      from += word.length;
    }
  }
  return parts;
}

export function isCamel(piece: string): boolean {
  // Most pieces are small ASCII letters, and the pattern below looks both ways at every one of them.
  if (PLAIN.test(piece)) return false;
  return CAMEL.test(piece) && !SMALL_PREFIX.test(piece) && !ACRONYM_PLURAL.test(piece);
}

/**
 * Whole forms of a name, each in one form so that spellings meet: `flush_tile_cache`, `flushTileCache` and
 * `flush-tile-cache` are all `flushtilecache`; dotted and pathed names keep their signs and give their compound
 * components too (`/srv/kiln/log_file.txt` → itself, `log_file.txt`, `logfile`); versions drop a leading v.
 */
export function wholeForms(name: string, normal: (text: string) => string): string[] {
  const forms = new Set<string>();
  collect(name);
  return [...forms];

  function collect(part: string): void {
    if (part === '') return;
    if (/[/\\@]/.test(part)) {
      forms.add(normal(part));
      for (const component of part.split(/[/\\@:#+]+/)) if (component !== part) collect(component);
    } else if (/[.:#+]/.test(part)) {
      forms.add(version(normal(part)));
      for (const component of part.split(/[.:#+]+/)) if (component !== part) collect(component);
    } else if (/[_-]/.test(part)) {
      forms.add(HAS_LETTER.test(part) ? normal(part.replace(/[_-]+/g, '')) : normal(part));
    } else if (isCamel(part)) {
      forms.add(normal(part));
    }
  }
}

/** `v1.2.3` and `1.2.3` are one version. */
function version(form: string): string {
  return /^v\d+(?:\.\d+)+/.test(form) ? form.slice(1) : form;
}
