import * as electron from 'electron';

const { contextBridge, ipcRenderer } = electron;
/** Electron before 32, which only the smoke test drives, has none. */
const { webUtils }: Partial<typeof electron> = electron;

/**
 * All that the page gets beyond a browser's means. No path reaches it: what the user picks or drops arrives as an `open-files` event of
 * the engine.
 */
contextBridge.exposeInMainWorld('flamebenchShell', {
  /** Shows the system's dialog; resolves when it has closed. */
  openFiles: async (): Promise<void> => {
    await ipcRenderer.invoke('flamebench:open-files');
  },
  /** Opens dropped files by their paths. Answers, for each, whether it has one. */
  openDropped: (files: readonly File[]): boolean[] => {
    const paths = files.map(pathOf);
    ipcRenderer.send(
      'flamebench:open-dropped',
      paths.filter((path) => path !== ''),
    );
    return paths.map((path) => path !== '');
  },
  /** Hears of commands that are chosen in the menu. */
  onCommand: (listener: (id: string) => void): void => {
    ipcRenderer.on('flamebench:command', (_event, id: unknown) => {
      if (typeof id === 'string') listener(id);
    });
  },
});

/** Empty for a file that is on no disk. */
function pathOf(file: File): string {
  return webUtils?.getPathForFile(file) ?? '';
}
