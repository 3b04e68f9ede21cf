import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { CPU_TIME_MISSED } from '#core/contract/corrected-recording.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { withLost } from '#core/model/quality-grade.ts';
import { EngineFailure } from '../../failure.ts';
import { findCacheFile, readCacheFacts, saveCacheFile } from './cache.ts';
import { CACHE_FILE } from './files.ts';
import { guarded, type CaptureStore } from './store.ts';
import type { CurrentDocuments } from '../current-documents.ts';
import { keepDerivedFile } from '../derived-file.ts';
import { regularFile } from '../library-folders.ts';
import type { Library } from '../library.types.ts';
import type { StoredCaptures } from '../stored-captures.ts';

/** Opens and adds the files of captures. */
export function createCaptureContents(
  store: CaptureStore,
  stored: StoredCaptures,
  documents: Pick<CurrentDocuments, 'isRecovering'>,
): Pick<Library, 'openFile' | 'rawFile' | 'keepDerived' | 'saveCache'> {
  return {
    async openFile(id, { ignoreCache = false } = {}) {
      const { folder, document } = await stored.folderOf(id);
      return guarded(`open the capture ${id}`, id, async () => {
        const primary = await regularFile(folder, document.primaryFile);
        refuseEmpty(document, primary.size);
        if (ignoreCache || document.state !== 'finished') return primary;
        return (await findCacheFile(folder, primary)) ?? primary;
      });
    },

    async rawFile(id, fileName) {
      const { folder, document } = await stored.folderOf(id);
      if (fileName !== document.primaryFile && !document.otherFiles.includes(fileName)) {
        throw new EngineFailure('file-missing', `The capture has no file ${fileName}.`);
      }
      return guarded(`open the capture ${id}`, id, () => regularFile(folder, fileName));
    },

    async keepDerived(id, fileName, chunks, change) {
      return guarded(`keep ${fileName} in the capture ${id}`, id, async () =>
        keepDerivedFile(store, await stored.folderToChange(id), fileName, chunks, change),
      );
    },

    async saveCache(id, chunks) {
      const { folder, document } = await stored.folderOf(id);
      if ((await stored.sampleOf(id)) !== undefined || document.state !== 'finished' || documents.isRecovering(id))
        return false;
      const kept = await saveCacheFile(store, folder, randomBytes(8).toString('hex'), chunks);
      if (kept && (document.format === null || document.quality === undefined)) await keepFacts(stored, id, folder);
      return kept;
    },
  };
}

/** Codes of the diagnostics that say why a recording has no sample. */
const WHY_EMPTY: ReadonlySet<string> = new Set(['no-samples', CPU_TIME_MISSED]);

/** Throws for a recording without a sample, of which there is nothing to open: says why, and what to do. */
export function refuseEmpty({ samples, diagnostics }: CaptureDocument, size: number): void {
  if (samples !== 0) return;
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning');
  const why = warnings.find(({ code }) => WHY_EMPTY.has(code));
  if (why === undefined && size > 0) return;
  const { message, remedy } = why ?? warnings[0] ?? NOTHING;
  throw new EngineFailure('empty-capture', message, remedy);
}

const NOTHING = { message: 'No samples were recorded.', remedy: 'Record longer, or while the process works.' };

/**
 * Adds the format and quality of an imported file after it has been parsed. If they are unavailable, they are missing
 * from the list, nothing else.
 */
async function keepFacts({ edit }: Pick<StoredCaptures, 'edit'>, id: string, folder: string): Promise<void> {
  const facts = await readCacheFacts(join(folder, CACHE_FILE)).catch(() => null);
  if (facts === null) return;
  const { format, quality } = facts;
  const found = (document: CaptureDocument): CaptureDocument => {
    // The collector counted events; one row may stand for many of them.
    const samples = document.format === null ? facts.samples : (document.samples ?? facts.samples);
    return {
      ...document,
      ...(document.format === null ? { format, samples } : {}),
      ...(quality === null ? {} : { quality: withLost(quality, samples, document.lostSamples ?? 0) }),
    };
  };
  await edit(id, found).catch(() => undefined);
}
