import { contextBridge, ipcRenderer, webUtils } from 'electron';

/**
 * Everything that the page gets beyond a browser's APIs. It never receives a path: chosen or dropped files arrive as
 * the engine's `open-files` event.
 */
contextBridge.exposeInMainWorld('flamebenchShell', {
  /** Shows the system's file dialog; resolves when it is closed. */
  openFiles: async (): Promise<void> => {
    await ipcRenderer.invoke('flamebench:open-files');
  },
  /** Opens dropped files by their paths. Returns, for each, whether it has a path. */
  openDropped: (files: readonly File[]): boolean[] => {
    // Empty for a file that is not on disk.
    const paths = files.map((file) => webUtils.getPathForFile(file));
    ipcRenderer.send(
      'flamebench:open-dropped',
      paths.filter((path) => path !== ''),
    );
    return paths.map((path) => path !== '');
  },
  /** Subscribes to commands chosen in the menu. */
  onCommand: (listener: (id: string) => void): void => {
    ipcRenderer.on('flamebench:command', (_event, id: unknown) => {
      if (typeof id === 'string') listener(id);
    });
  },
});
