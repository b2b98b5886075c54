import type { Analyzer, DoctorCheck, DoctorOptions, DoctorReport, ItemKey } from '../contracts/index.js';
import { defaults } from '../core/defaults.js';
import { prepareChunks } from '../core/prepare-chunks.js';
import { CorvidError, throwIfAborted } from '../errors.js';
import type { Store } from '../store/store.js';
import { reindex } from './reindexer.js';

const FIX = 'Run doctor with fix.';
const RESTORE = 'Restore a copy of the file; what can still be read can be had with list.';

interface Examination {
  checks: DoctorCheck[];
  /** Items whose rows have to be made anew. */
  items: ItemKey[];
  indexBroken: boolean;
  rowsWithoutChunk: boolean;
  wrongVectors: { space: number; chunk: number; why: 'text' | 'width' }[];
  forgotten: number[];
}

/**
 * Looks whether everything that is derived agrees with the texts it is derived from, and makes anew what does not.
 * Texts are only read. Other processes go on meanwhile; a broken index is made anew in one transaction, all else in
 * small ones.
 */
export async function examine(
  store: Store,
  analyzer: Analyzer,
  o: DoctorOptions & { now: number; embedding: boolean },
): Promise<DoctorReport> {
  const before = await look(store, analyzer, o);
  if (!o.fix || store.readOnly) return { ...report(before.checks), fixed: { items: 0, vectors: 0 } };
  const fixed = await fix(store, analyzer, before, o);
  const after = await look(store, analyzer, o);
  return { ...report(after.checks), fixed };
}

function report(checks: DoctorCheck[]): Pick<DoctorReport, 'ok' | 'checks'> {
  return { ok: checks.every((check) => check.ok), checks };
}

async function look(
  store: Store,
  analyzer: Analyzer,
  o: DoctorOptions & { embedding: boolean },
): Promise<Examination> {
  const { maintenance } = store;
  const deep = o.deep ?? false;
  const seen: Examination = {
    checks: [],
    items: [],
    indexBroken: false,
    rowsWithoutChunk: false,
    wrongVectors: [],
    forgotten: [],
  };
  /** A page that cannot be read fails the check that needed it, and no other. */
  const check = async (
    name: string,
    remedy: string,
    examine: () => { ok: boolean; found: string } | Promise<{ ok: boolean; found: string }>,
  ) => {
    throwIfAborted(o.signal);
    let result: { ok: boolean; found: string };
    try {
      result = await examine();
    } catch (error) {
      if (!(error instanceof CorvidError) || error.code !== 'corrupt') throw error;
      result = { ok: false, found: 'What has to be read for this is damaged.' };
    }
    seen.checks.push({ name, ...result, remedy: result.ok ? '' : remedy });
  };

  await check('file', RESTORE, () => {
    const faults = maintenance.fileFaults(deep);
    const sound = deep ? 'Every page and index is sound.' : 'The pages are sound.';
    return { ok: faults.length === 0, found: faults.length === 0 ? sound : faults.join('; ') };
  });
  await check('references', RESTORE, () => {
    const broken = maintenance.brokenReferences();
    return { ok: broken === 0, found: `${broken} rows point to something that is gone.` };
  });
  await check('rows', FIX, () => {
    const { withoutTerms, withoutChunk, withoutVisibility, withoutPassage } = maintenance.unpaired();
    const unpaired = withoutTerms + withoutVisibility + withoutPassage;
    if (unpaired > 0) seen.items.push(...maintenance.unpairedItems());
    seen.rowsWithoutChunk = withoutChunk > 0;
    return {
      ok: unpaired + withoutChunk === 0,
      found: `${withoutTerms} passages without index row, ${withoutChunk} index rows without passage, ${withoutVisibility} passages without scope, ${withoutPassage} items without passage.`,
    };
  });
  await check('index', FIX, () => {
    const result = checkIndex(store);
    seen.indexBroken = !result.ok;
    return result;
  });
  await check('terms', FIX, async () => {
    const sample = maintenance.sample(deep ? null : defaults.doctor.sample);
    const wrong = await wrongTerms(store, analyzer, sample, o);
    seen.items.push(...wrong);
    return {
      ok: wrong.length === 0,
      found: `${wrong.length} of ${sample.length} items analyzed again gave other terms than the index holds.`,
    };
  });
  await check('analyzer', '', () => {
    const { older, newer } = maintenance.countByVersion(analyzer.version);
    // Neither is a fault: the ones are being brought up to date, the others are better than this version's.
    return {
      ok: true,
      found: `${older} passages of an older and ${newer} of a newer analyzer than ${analyzer.version}.`,
    };
  });
  await check('vectors', FIX, () => {
    seen.wrongVectors = maintenance.wrongVectors();
    const count = (why: 'text' | 'width') => seen.wrongVectors.filter((wrong) => wrong.why === why).length;
    return {
      ok: seen.wrongVectors.length === 0,
      found: `${count('text')} vectors are of another text, ${count('width')} of another width.`,
    };
  });
  await check('queue', FIX, () => {
    // Without an embedder nothing is queued; the next opening with one does that.
    const forgotten = o.embedding ? maintenance.forgottenJobs() : [];
    seen.forgotten = forgotten.map(({ space }) => space);
    const waiting = forgotten.reduce((sum, { chunks }) => sum + chunks, 0);
    return {
      ok: waiting === 0,
      found: `${waiting} passages have neither a vector nor a place in the queue.`,
    };
  });
  seen.items = [...new Set(seen.items)];
  return seen;
}

function checkIndex(store: Store): { ok: boolean; found: string } {
  if (store.readOnly)
    return { ok: true, found: 'Not compared with its terms: the store is open for reading only.' };
  try {
    store.maintenance.checkIndex();
    return { ok: true, found: 'The keyword index agrees with its terms.' };
  } catch (error) {
    if (error instanceof CorvidError && error.code === 'busy')
      return { ok: true, found: 'Not compared with its terms: another process is writing.' };
    if (!(error instanceof CorvidError) || error.code !== 'corrupt') throw error;
    return { ok: false, found: 'The keyword index differs from the terms it was made of.' };
  }
}

/** Items whose terms, analyzed again, are not those of the index. Rows of another analyzer are not compared. */
async function wrongTerms(
  store: Store,
  analyzer: Analyzer,
  items: readonly ItemKey[],
  o: DoctorOptions,
): Promise<ItemKey[]> {
  const wrong: ItemKey[] = [];
  for (const [i, key] of items.entries()) {
    if (i % 50 === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      throwIfAborted(o.signal);
      o.onProgress?.({ phase: 'analyze', done: i, total: items.length });
    }
    const record = store.items.wholeRecordOf(key);
    if (!record) continue;
    const stored = store.maintenance.terms(key);
    if (stored.some(({ version }) => version !== analyzer.version)) continue;
    const made = prepareChunks({ ...record, ...record.header }, analyzer);
    const same =
      made.length === stored.length &&
      made.every(({ start, end, row }, at) => {
        const old = stored[at]!;
        const terms = [row.title, row.body, row.exact, row.header].join('\n');
        return old.start === start && old.end === end && old.terms === terms;
      });
    if (!same) wrong.push(key);
  }
  return wrong;
}

async function fix(
  store: Store,
  analyzer: Analyzer,
  found: Examination,
  o: DoctorOptions & { now: number },
): Promise<DoctorReport['fixed']> {
  const { maintenance } = store;
  if (found.indexBroken) maintenance.rebuildIndex();
  if (found.rowsWithoutChunk) store.write(() => maintenance.removeUnpairedRows());
  let items = 0;
  const step = defaults.reindex.chunksAStep;
  for (let i = 0; i < found.items.length; i += step) {
    await new Promise((resolve) => setImmediate(resolve));
    throwIfAborted(o.signal);
    items += store.write(reindex(store, analyzer, found.items.slice(i, i + step), o.now));
    o.onProgress?.({
      phase: 'fix',
      done: Math.min(i + step, found.items.length),
      total: found.items.length,
    });
  }
  store.write(() => {
    for (const { space, chunk } of found.wrongVectors) maintenance.removeVector(space, chunk);
  });
  const spaces = new Set([...found.wrongVectors.map(({ space }) => space), ...found.forgotten]);
  for (const space of spaces) store.requeue(space);
  return { items, vectors: found.wrongVectors.length };
}
