import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Best first: the headless shell loads no user interface, which costs a third of the CPU time of starting a test. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** Returns the path of the system's Chromium; Playwright's own download is not used. */
export function chromiumPath(): string {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  for (const name of NAMES) {
    for (const folder of [...folders, '/usr/bin']) {
      const candidate = path.join(folder, name);
      if (isExecutable(candidate)) return candidate;
    }
  }
  throw new Error('No Chromium was found; install it (Debian: apt-get install chromium-headless-shell).');
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
