import { test as base, type Page } from 'playwright/test';
import { serveHarness, type HarnessServer } from './serve-harness.ts';

interface Harness {
  /** Opens folded text in the harness, none if null; `query` is passed to its page. */
  open(folded: string | null, query?: Record<string, string>): Promise<Page>;
}

/** Provides a page for each test. Any console output, uncaught error, dialog or CSP report fails the test. */
export const test = base.extend<{ harness: Harness }, { server: HarnessServer }>({
  viewport: { width: 1200, height: 760 },
  server: [
    async ({ browserName }, use) => {
      if (browserName !== 'chromium') throw new Error(`built for Chromium, not for ${browserName}`);
      const server = await serveHarness();
      await use(server);
      await server.close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  harness: async ({ server, page }, use, info) => {
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
        if (folded !== null) server.addFile(file, folded);
        await page.goto(`${server.url}?${new URLSearchParams({ file, ...query }).toString()}`);
        await page
          .locator(folded === null ? 'tbody tr, .xterm-rows' : '.flame-chart g.frame')
          .first()
          .waitFor({ state: 'attached' });
        return page;
      },
    });
    if (complaints.length > 0) throw new Error(`the page complained:\n${complaints.join('\n')}`);
  },
});

export { expect } from 'playwright/test';
