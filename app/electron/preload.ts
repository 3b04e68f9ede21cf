import { contextBridge, ipcRenderer } from 'electron';

/** All that the page gets beyond a browser's means. No path reaches it: what the user picks arrives as an `open-files` event of the engine. */
contextBridge.exposeInMainWorld('flamebenchShell', {
  /** Shows the system's dialog; resolves when it has closed. */
  openFiles: async (): Promise<void> => {
    await ipcRenderer.invoke('flamebench:open-files');
  },
});
