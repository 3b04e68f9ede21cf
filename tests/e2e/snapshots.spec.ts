import { expect, test as base } from './workbench.ts';
import { JOURNEYS } from './window-states.ts';

/** After the samples were recorded; ages ("3 d ago") are relative to it. */
const NOW = new Date('2026-12-01T12:00:00Z');

const test = base.extend({
  page: async ({ page }, use) => {
    await page.clock.setFixedTime(NOW);
    await use(page);
  },
});

test.use({
  viewport: { width: 1440, height: 900 },
  deviceScaleFactor: 1,
  locale: 'en-GB',
  timezoneId: 'UTC',
});

for (const [journey, states] of Object.entries(JOURNEYS)) {
  test(`${journey}: the window matches its pictures`, async ({ workbench, page }) => {
    test.slow();
    // Sets a fixed font whatever the system's is; the page's policy forbids style elements.
    await page.evaluate(() => {
      document.documentElement.style.setProperty('--sans', "'DejaVu Sans', sans-serif");
    });
    for (const { name, show, part } of states) {
      await show(workbench);
      await page.mouse.move(720, 0);
      for (const theme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme: theme });
        await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
        await expect.soft(part === undefined ? page : page.locator(part)).toHaveScreenshot(`${name}-${theme}.png`);
      }
    }
  });
}
