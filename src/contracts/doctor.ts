import type { LongOperation } from './ingest.js';

export interface DoctorOptions extends LongOperation {
  /** Reads every page of the file and analyzes every item again, where else a sample is taken; default false. */
  deep?: boolean | undefined;
  /** Mends what can be mended: index rows and vectors are made from the texts, which are never touched; default false. */
  fix?: boolean | undefined;
}

/** One thing that was looked at. */
export interface DoctorCheck {
  /** `file`, `references`, `rows`, `index`, `terms`, `analyzer`, `vectors`, `queue`. */
  name: string;
  ok: boolean;
  /** What was found, in one sentence. */
  found: string;
  /** What to do about it; empty when nothing is wrong. */
  remedy: string;
}

export interface DoctorReport {
  /** Whether every check is. With `fix`: as it is afterwards. */
  ok: boolean;
  checks: DoctorCheck[];
  /** Items whose index rows were made anew, and vectors that were taken out to be made anew. */
  fixed: { items: number; vectors: number };
}
