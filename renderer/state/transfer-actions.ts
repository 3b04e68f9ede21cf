import type { Transfer, EngineAndStore, Reporting } from './workbench-state.ts';
import type { ImportedExperiment } from '#core/contract/experiment.ts';
import type { UploadOptions } from './engine-client.ts';
import type { TabSource } from './tab-source.ts';
import type { ProfileTab } from './profile/tab.ts';

export interface TransferActions {
  /** Adds the tab's file to the library. */
  readonly keep: (tab: ProfileTab) => Promise<void>;
  /** Adds a file to the library and returns its ID; null if it was cancelled or refused, which is shown. */
  readonly keepSource: (source: TabSource) => Promise<string | null>;
  /** Adds an exported experiment and its captures; null if it was cancelled or refused, which is shown. */
  readonly importExperiment: (file: File) => Promise<ImportedExperiment | null>;
  /** Adds files to the library without opening them. */
  readonly keepFiles: (files: readonly File[]) => Promise<void>;
}

export function createTransferActions({ engine, store, notify, report }: EngineAndStore & Reporting): TransferActions {
  let last = 0;

  /** Returns null if the upload was cancelled or refused, which is shown. */
  async function send<T>(file: File, upload: (file: File, options: UploadOptions) => Promise<T>): Promise<T | null> {
    const stop = new AbortController();
    const id = (last += 1);
    const update = (sentBytes: number): void => {
      const { transfers } = store.get();
      store.set({ transfers: transfers.map((one) => (one.id === id ? { ...one, sentBytes } : one)) });
    };
    const row: Transfer = {
      id,
      fileName: file.name,
      sentBytes: 0,
      totalBytes: file.size,
      cancel: () => stop.abort(),
    };
    store.set({ transfers: [...store.get().transfers, row] });
    try {
      return await upload(file, { onProgress: update, signal: stop.signal });
    } catch (error) {
      if (stop.signal.aborted) {
        notify({ kind: 'info', text: `${file.name} was not kept (cancelled).`, remedy: null, action: null });
      } else report(error);
      return null;
    } finally {
      store.set({ transfers: store.get().transfers.filter((one) => one.id !== id) });
    }
  }

  const keepFile = async (file: File): Promise<string | null> => (await send(file, engine.upload))?.id ?? null;

  async function keepSource({ captureId, readFile }: TabSource): Promise<string | null> {
    if (readFile === null) return captureId;
    try {
      return await keepFile(await readFile());
    } catch (error) {
      report(error);
      return null;
    }
  }

  return {
    keep: async (tab) => {
      if (tab.source.readFile === null) return;
      const captureId = await keepSource(tab.source);
      if (captureId !== null) tab.setCaptureId(captureId);
    },
    keepSource,
    importExperiment: (file) => send(file, engine.importExperiment),
    keepFiles: async (files) => {
      let kept = 0;
      for (const file of files) if ((await keepFile(file)) !== null) kept += 1;
      if (kept === 0) return;
      const text = kept === 1 ? '1 file was added to the library.' : `${kept} files were added to the library.`;
      notify({ kind: 'info', text, remedy: null, action: null });
    },
  };
}
