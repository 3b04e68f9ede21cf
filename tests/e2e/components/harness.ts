import { test as base, type Browser, type Page } from 'playwright/test';
import { serveHarness, type HarnessServer } from './serve-harness.ts';

/** Debian's Chromium where there is one; else Playwright's own. */
const executable = process.env['FLAMEBENCH_CHROMIUM'] ?? '/usr/bin/chromium';

interface Harness {
  /** Opens folded text in the harness; `query` as its page takes it. */
  open(folded: string | null, query?: Record<string, string>): Promise<Page>;
}

interface Shared {
  readonly server: HarnessServer;
  readonly chrome: Browser;
}

/** Each test gets a page of its own; anything on its console, any uncaught error and any CSP report fails the test. */
export const test = base.extend<{ harness: Harness }, { shared: Shared }>({
  shared: [
    async ({ playwright }, use) => {
      const server = await serveHarness();
      const chrome = await playwright.chromium.launch({
        executablePath: executable,
        args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      });
      await use({ server, chrome });
      await chrome.close();
      await server.close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  harness: async ({ shared }, use, info) => {
    const context = await shared.chrome.newContext({ viewport: { width: 1200, height: 760 } });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await use({
      async open(folded, query = {}) {
        const file = `${info.testId}.folded`;
        if (folded !== null) shared.server.addFile(file, folded);
        await page.goto(`${shared.server.url}?${new URLSearchParams({ file, ...query }).toString()}`);
        await page
          .locator(folded === null ? 'tbody tr' : '.flame-chart g.frame')
          .first()
          .waitFor({ state: 'attached' });
        return page;
      },
    });
    await context.close();
    if (complaints.length > 0) throw new Error(`the page complained:\n${complaints.join('\n')}`);
  },
});

export { expect } from 'playwright/test';
