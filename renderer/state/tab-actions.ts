import { PATHS, TOKEN_HEADER } from '#core/contract/contract.ts';
import type { ProfileClient, ProfileClientEvents } from '../worker/profile-client.ts';
import type { EngineClient } from './engine-client.ts';
import { EngineError } from './engine-client.ts';
import { createProfileTab } from './profile-tab.ts';
import type { ProfileTab, TabSource } from './profile-tab.ts';
import type { Store } from './store.ts';
import type { Workbench, WorkbenchState } from './workbench.ts';

export type StartClient = (events: ProfileClientEvents) => ProfileClient;

export interface FileHandle {
  readonly handle: string;
  readonly fileName: string;
  readonly size: number | null;
}

export interface TabActions {
  /** Picked or dropped files, each in a tab of its own. */
  readonly openFiles: (files: readonly File[]) => void;
  /** Files that the command line or the system named. */
  readonly openHandles: (handles: readonly FileHandle[]) => void;
  /** A capture of the library; its tab comes forward where it is open already. */
  readonly openCapture: (captureId: string, fileName: string) => void;
  readonly activate: (tabId: string) => void;
  readonly close: (tabId: string) => void;
  /** Adds the tab's file to the library. */
  readonly keep: (tab: ProfileTab) => Promise<void>;
}

interface Needs {
  readonly engine: EngineClient;
  readonly store: Store<WorkbenchState>;
  readonly report: Workbench['report'];
  readonly startClient: StartClient;
}

export function createTabActions({ engine, store, report, startClient }: Needs): TabActions {
  let lastTab = 0;
  const headers = { [TOKEN_HEADER]: engine.token };

  function add(source: TabSource): void {
    lastTab += 1;
    const tab = createProfileTab(`tab-${lastTab}`, source, startClient);
    store.set({ tabs: [...store.get().tabs, tab], activeTab: tab.id });
    void tab.load(null);
  }

  /** A handle works once. The engine gives new ones for what it was asked to open at the start. */
  async function freshHandle(file: FileHandle): Promise<string> {
    const { pendingFiles } = await engine.call('app.state', {});
    const same = pendingFiles.find(({ fileName, size }) => fileName === file.fileName && size === file.size);
    if (same === undefined) throw handleUsed(file.fileName);
    return same.handle;
  }

  function addHandle(file: FileHandle): void {
    const { fileName, size } = file;
    let unused: string | null = file.handle;
    add({
      fileName,
      captureId: null,
      readFile: async () => {
        const response = await fetch(PATHS.file + (await freshHandle(file)), { headers });
        if (!response.ok) throw handleUsed(fileName);
        return new File([await response.blob()], fileName);
      },
      open: async () => {
        const handle = unused ?? (await freshHandle(file));
        unused = null;
        return {
          source: { kind: 'url', url: PATHS.file + handle, headers, fileName, size },
          cache: null,
          cached: false,
        };
      },
    });
  }

  return {
    openFiles: (files) => {
      for (const file of files) {
        add({
          fileName: file.name,
          captureId: null,
          readFile: () => Promise.resolve(file),
          open: () => Promise.resolve({ source: { kind: 'file', file }, cache: null, cached: false }),
        });
      }
    },
    openHandles: (handles) => {
      for (const handle of handles) addHandle(handle);
    },
    openCapture: (captureId, fileName) => {
      const open = store.get().tabs.find((tab) => tab.store.get().captureId === captureId);
      if (open !== undefined) {
        store.set({ activeTab: open.id });
        return;
      }
      add({
        fileName,
        captureId,
        readFile: null,
        open: async (ignoreCache) => {
          const answer = await engine.call('library.open', { id: captureId, ignoreCache });
          return {
            source: {
              kind: 'url',
              url: PATHS.file + answer.handle,
              headers,
              fileName: answer.fileName,
              size: answer.size,
            },
            cache: answer.cached ? null : { url: PATHS.cache + captureId, headers },
            cached: answer.cached,
          };
        },
      });
    },
    activate: (activeTab) => {
      store.set({ activeTab });
    },
    close: (tabId) => {
      const { tabs, activeTab } = store.get();
      const at = tabs.findIndex((tab) => tab.id === tabId);
      if (at < 0) return;
      tabs[at]!.dispose();
      const left = tabs.filter((tab) => tab.id !== tabId);
      const neighbour = left[Math.min(at, left.length - 1)]?.id ?? null;
      store.set({ tabs: left, activeTab: activeTab === tabId ? neighbour : activeTab });
    },
    keep: async (tab) => {
      if (tab.source.readFile === null) return;
      try {
        const capture = await engine.upload(await tab.source.readFile());
        tab.setCaptureId(capture.id);
      } catch (error) {
        report(error);
      }
    },
  };
}

function handleUsed(fileName: string): EngineError {
  return new EngineError({
    code: 'handle-used',
    message: `The engine hands ${fileName} over once, and it has been read.`,
    remedy: 'Open the file here (Ctrl+O, or drop it on the window), then choose the format.',
  });
}
