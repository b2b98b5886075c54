import type { Include, ItemKind, SearchFilter, Visibility } from '../../index.js';

/** The filter and the states to include, from the flags that `search` and `list` share. */
export function filterFrom(flags: Record<string, unknown>): { filter: SearchFilter; include: Include[] } {
  const { kind, tag, source, after, before, visibility, include } = flags as {
    kind?: ItemKind[];
    tag?: string[];
    source?: string[];
    after?: string;
    before?: string;
    visibility?: Visibility[];
    include?: Include[];
  };
  return {
    filter: { kinds: kind, tags: tag, source, after, before, visibilities: visibility },
    include: include ?? [],
  };
}
