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

const PROFILES = { label: 'Profiles to open', multiple: true, accept: '' };

/** Asks for files with the browser's dialog, also in the desktop shell, for files that are not opened in tabs. */
export function chooseFiles(take: (files: readonly File[]) => void, { label, ...which } = PROFILES): void {
  const input = Object.assign(document.createElement('input'), { type: 'file', className: 'sr-only', ...which });
  input.setAttribute('aria-label', label);
  document.body.append(input);
  input.addEventListener('change', () => {
    take([...(input.files ?? [])]);
    input.remove();
  });
  input.addEventListener('cancel', () => input.remove());
  input.click();
}
