import type { ItemKind } from '../contracts/index.js';

/** Kinds in the order of their codes in the narrow visibility rows. The codes are stored: only ever append. */
export const KINDS: readonly ItemKind[] = ['memory', 'document', 'message', 'observation', 'note'];

export function kindCode(kind: ItemKind): number {
  return KINDS.indexOf(kind);
}

/** Bits of `visibility.flags`. Archived and superseded hide a row. */
export const FLAGS = { archived: 1, superseded: 2, pinned: 4 } as const;
