/** The API that the desktop shell's preload script adds to the page; see app/electron/preload.ts. */
interface DesktopShell {
  /** Shows the system's file dialog; the chosen files arrive as the engine's `open-files` event. */
  readonly openFiles: () => Promise<void>;
  /**
   * Opens dropped files by their paths, which the page never sees. Returns, for files without a path, whether each was
   * accepted. Missing in old shells.
   */
  readonly openDropped?: (files: readonly File[]) => readonly boolean[];
  /** Subscribes to the commands of the menu, by ID. */
  readonly onCommand?: (listener: (id: string) => void) => void;
}

/** Returns the desktop shell's API; null in a browser. */
export function desktopShell(): DesktopShell | null {
  return (window as { flamebenchShell?: DesktopShell }).flamebenchShell ?? null;
}
