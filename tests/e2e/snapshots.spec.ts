import { expectAccessible } from './axe.ts';
import { expectInReach } from './expect-in-reach.ts';
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

/**
 * States that the tests of the window's look, time, transforms, settings, keys, source and views check with axe.
 * Bottom-up is the flame graph of another tree.
 */
const SEEN_ELSEWHERE: ReadonlySet<string> = new Set([
  'empty-library',
  'flame-graph',
  'threads',
  'heat-map',
  'bottom-up',
  'transform-dialog',
  'settings',
  'keys',
  'source',
  'views',
]);

for (const [journey, states] of Object.entries(JOURNEYS)) {
  test(`${journey}: the window matches its pictures, axe finds nothing serious, and small windows show every control`, async ({
    workbench,
    page,
  }) => {
    // axe checks the whole window repeatedly.
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
        if (SEEN_ELSEWHERE.has(name)) continue;
        // Contrast is enough in a second theme, because the elements are the same.
        await expectAccessible(page, {
          state: `${name}, ${theme}`,
          without: '.flame-scroller',
          coloursOnly: theme === 'dark',
        });
      }
      await expectInReach(page, name);
    }
  });
}
