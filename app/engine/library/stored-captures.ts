import type { CaptureDocument } from '#core/contract/schemas.ts';
import { EngineFailure } from '../failure.ts';
import { editDocument, guarded, ownCaptureFolder, touchLibrary, type CaptureStore } from './captures/store.ts';
import type { CurrentDocuments } from './current-documents.ts';
import { prepareLibrary } from './library-marker.ts';
import { isSampleId, readSampleCaptures, type SampleCapture } from './sample-captures.ts';

/** A library's captures by ID, and the bundled samples, which can't be changed. */
export interface StoredCaptures {
  readonly samples: () => Promise<ReadonlyMap<string, SampleCapture>>;
  readonly sampleOf: (id: string) => Promise<SampleCapture | undefined>;
  readonly current: (id: string) => Promise<CaptureDocument>;
  readonly folderOf: (id: string) => Promise<{ folder: string; document: CaptureDocument }>;
  readonly refuseSample: (id: string) => Promise<void>;
  /** Returns the folder of a capture that is not a sample, in a library that can be written. */
  readonly folderToChange: (id: string) => Promise<string>;
  readonly edit: (id: string, change: (document: CaptureDocument) => CaptureDocument) => Promise<CaptureDocument>;
}

/** Reads the samples at the first use. */
export function createStoredCaptures(
  store: CaptureStore,
  documents: CurrentDocuments,
  samplesPath: string | null,
): StoredCaptures {
  let read: ReturnType<typeof readSampleCaptures> | undefined;
  const samples = (): ReturnType<typeof readSampleCaptures> => (read ??= readSampleCaptures(samplesPath));
  const sampleOf = async (id: string) => (isSampleId(id) ? (await samples()).get(id) : undefined);

  async function current(id: string): Promise<CaptureDocument> {
    return (await sampleOf(id))?.document ?? documents.of(id);
  }

  async function folderOf(id: string): Promise<{ folder: string; document: CaptureDocument }> {
    return guarded(`read the capture ${id}`, id, async () => ({
      folder: (await sampleOf(id))?.folder ?? (await ownCaptureFolder(store, id)),
      document: await current(id),
    }));
  }

  async function refuseSample(id: string): Promise<void> {
    if ((await sampleOf(id)) === undefined) return;
    throw new EngineFailure(
      'read-only',
      'The bundled samples can’t be changed.',
      'Drop the file into the window to get your own copy.',
    );
  }

  async function folderToChange(id: string): Promise<string> {
    await refuseSample(id);
    await prepareLibrary(store.root);
    return ownCaptureFolder(store, id);
  }

  async function edit(id: string, change: (document: CaptureDocument) => CaptureDocument): Promise<CaptureDocument> {
    const changed = await guarded(`change the capture ${id}`, id, async () =>
      editDocument(store, await folderToChange(id), change),
    );
    await touchLibrary(store);
    return changed;
  }

  return { samples, sampleOf, current, folderOf, refuseSample, folderToChange, edit };
}
