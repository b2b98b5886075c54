import type { ItemKind } from './item.js';
import type { ResolvedViewer, Visibility } from './scope.js';
import type { Include, StreamName } from './search.js';

/** One searchable term of the query. */
export interface QueryTerm {
  /** As the index holds it. */
  term: string;
  /** Matches every term that begins with it (single CJK characters). */
  prefix: boolean;
  /** `word`: a stem; `exact`: a whole, unstemmed form. */
  field: 'word' | 'exact';
  /** The word of the query it came from. */
  surface: string;
}

/** A part of the indexed text that a query may name. */
export type QueryField = 'title' | 'body' | 'header';

/** What an item must hold as a whole, in whichever of its passages. */
export type QueryCondition =
  | {
      type: 'terms';
      /** Terms of the index that stand side by side in this order. */
      terms: readonly string[];
      /** The last term may go on. */
      prefix: boolean;
      field: QueryField | null;
      /** A whole identifier. */
      exact: boolean;
    }
  | { type: 'and' | 'or'; parts: readonly QueryCondition[] }
  | { type: 'not'; part: QueryCondition };

/** A query text taken apart. Free text is data: nothing in it is syntax except balanced double quotes. */
export interface ParsedQuery {
  text: string;
  /** Content terms, without repeats, at most `defaults.query.maxTerms`. */
  terms: readonly QueryTerm[];
  /** The term of every word, function words and repeats included, in reading order. */
  words: readonly string[];
  /** Whole identifiers, versions, codes, paths and the like, as the exact column holds them. */
  identifiers: readonly string[];
  /** Quoted phrases of two words or more, each a list of stems. */
  phrases: readonly (readonly string[])[];
  /** How many distinct terms were left out over the cap. */
  dropped: number;
  /** Only stop words were given, so they were kept. */
  onlyStopWords: boolean;
  /** Of the advanced syntax; null: none, as for every text without it. */
  condition: QueryCondition | null;
}

/** Filter with times as epoch milliseconds and every list an array. */
export interface ResolvedFilter {
  kinds: readonly ItemKind[];
  tags: readonly string[];
  sources: readonly string[];
  visibilities: readonly Visibility[];
  after: number | null;
  before: number | null;
  minLexical: number | null;
  minCosine: number | null;
}

/** All that the streams need to know: what is asked, by whom, under which conditions. */
export interface QueryPlan {
  query: ParsedQuery;
  viewer: ResolvedViewer;
  filter: ResolvedFilter;
  include: readonly Include[];
  /** Epoch milliseconds, or null for now. */
  asOf: number | null;
  /** Epoch milliseconds. */
  now: number;
  groupBy: 'item' | 'chunk';
  streams: readonly StreamName[];
}
