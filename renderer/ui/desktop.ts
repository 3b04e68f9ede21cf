/** What the desktop shell's preload adds to the page; see app/electron/preload.ts. */
export interface DesktopShell {
  /** Shows the system's dialog; what is picked arrives as an `open-files` event of the engine. */
  readonly openFiles: () => Promise<void>;
  /** Opens dropped files by their paths, which the page never sees. Answers those that have none: true where it was taken. Missing in old shells. */
  readonly openDropped?: (files: readonly File[]) => readonly boolean[];
  /** Commands of the menu, by id. */
  readonly onCommand?: (listener: (id: string) => void) => void;
}

/** Null in a browser. */
export function desktopShell(): DesktopShell | null {
  return (window as { flamebenchShell?: DesktopShell }).flamebenchShell ?? null;
}
