import { findChromium } from '../../scripts/components.mjs';

/** Returns the path of the system's Chromium; Playwright's own download is not used. */
export function chromiumPath(): string {
  const found = findChromium();
  if (found !== null) return found;
  throw new Error('No Chromium was found; install it (Debian: apt-get install chromium-headless-shell).');
}
