import { desktopShell } from './desktop.ts';

/** Asks for files: the desktop shell's own dialog, whose choice arrives as an engine event, or the browser's. */
export async function pickFiles(openFiles: (files: readonly File[]) => void): Promise<void> {
  const shell = desktopShell();
  if (shell !== null) {
    await shell.openFiles();
    return;
  }
  chooseFiles(openFiles);
}

/** The browser's own dialog, in the desktop shell too: for files that are not to be opened but put somewhere. */
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
  input.addEventListener('cancel', () => {
    input.remove();
  });
  input.click();
}
