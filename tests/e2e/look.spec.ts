import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { perfScript } from './inputs.ts';
import { expect, test } from './workbench.ts';

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
}

for (const theme of ['light', 'dark'] as const) {
  test.describe(`${theme} theme`, () => {
    test.use({ colorScheme: theme });

    test('is accessible and looks as it should', async ({ workbench, page }) => {
      // axe goes over the whole window eight times.
      test.slow();
      const shot = (name: string): Promise<Buffer> => page.screenshot({ path: `artefacts/${name}-${theme}.png` });
      await expect(workbench.status).toContainText('engine ready');
      await expectAccessible(page);
      await shot('empty');

      await workbench.library.getByRole('button', { name: /^page-server, before/ }).click();
      await workbench.library.getByRole('button', { name: 'run 1', exact: true }).click();
      await workbench.table.getByRole('row').nth(4).click();
      await expect(workbench.details).toContainText('Heaviest stack');
      await expectAccessible(page);
      await shot('sample');

      await workbench.openText('server.perf.txt', perfScript());
      await workbench.clickFrame('serve');
      await page.keyboard.press('Control+f');
      await page.keyboard.type('inner');
      await expect(page.locator('.search-result')).toContainText('%');
      await expectAccessible(page);
      await shot('profile');

      await workbench.clickFrame('serve', 'right');
      await expectAccessible(page);
      await shot('menu');
      await page.keyboard.press('Escape');

      await page.getByRole('button', { name: /^thread/ }).click();
      await expectAccessible(page);
      await page.keyboard.press('Escape');

      await workbench.open(workbench.writeFile('noise.txt', 'no profile at all\n'));
      await expect(page.getByRole('heading', { name: /could not be opened/ })).toBeVisible();
      await expectAccessible(page);
      await shot('refused');

      await page.keyboard.press('Alt+Shift+R');
      const dialog = page.getByRole('dialog', { name: 'Record' });
      const runner = dialog.getByRole('row', { name: new RegExp(`\\b${process.pid}\\b`) });
      await dialog.getByLabel('Filter processes').fill(String(process.pid));
      await runner.click();
      await dialog.getByLabel('Filter processes').fill('');
      await expect(dialog.locator('.plans:not(.outdated) pre')).toBeVisible({
        timeout: 20_000,
      });
      await expectAccessible(page);
      await shot('record');
    });
  });
}

test('the tools are one row at 1,440 pixels, however long the value types are called', async ({ workbench, page }) => {
  const event = 'syscalls:sys_enter_clock_nanosleep_with_a_long_name';
  const sample = (of: string): string => `server 1/1 [000] 1.000000: 1 ${of}: \n\tff work+0x1 (/bin/a)\n\n`;
  await workbench.openText('a.txt', sample(event) + sample('cycles'));
  await page.getByRole('searchbox', { name: /Search functions/ }).fill('work');
  const bar = page.getByRole('toolbar', { name: 'View' });
  await expect(bar.getByRole('status')).toContainText('1/1');
  const tops = await bar.evaluate(({ children }) => [...children].map((tool) => tool.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
});
