import { desktopShell } from './desktop.ts';

/**
 * Asks for files to open, with the desktop shell's dialog, whose result arrives as an event of the engine, or the
 * browser's.
 */
export async function pickFiles(openFiles: (files: readonly File[]) => void): Promise<void> {
  const shell = desktopShell();
  if (shell !== null) {
    await shell.openFiles();
    return;
  }
  chooseFiles(openFiles);
}

/** Asks for files with the browser's dialog, also in the desktop shell, for files that are not opened in tabs. */
export function chooseFiles(take: (files: readonly File[]) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.className = 'sr-only';
  input.setAttribute('aria-label', 'Profiles to open');
  document.body.append(input);
  input.addEventListener('change', () => {
    take([...(input.files ?? [])]);
    input.remove();
  });
  input.addEventListener('cancel', () => input.remove());
  input.click();
}
