import { expectAccessibleThemes } from './axe.ts';
import { perfScript } from './inputs.ts';
import { expect, test } from './workbench.ts';
import { processRow } from '../support/process-row.ts';

test('the window is accessible in both themes: empty, with a sample and a profile, refusing, recording', async ({
  workbench,
  page,
}) => {
  // axe checks the whole window repeatedly.
  test.slow();
  const look = (state: string): Promise<void> => expectAccessibleThemes(page, { state });
  await expect(workbench.status).toContainText('engine ready');
  await look('empty');

  await workbench.openRun();
  await workbench.table.getByRole('row').nth(4).click();
  await expect(workbench.details).toContainText('Heaviest stack');
  await look('sample');

  await workbench.openText('server.perf.txt', perfScript());
  await workbench.clickFrame('serve');
  await page.keyboard.press('Control+f');
  await page.keyboard.type('inner');
  await expect(page.locator('.search-result')).toContainText('%');
  await look('profile');

  await workbench.clickFrame('serve', 'right');
  await look('menu');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: /^thread/ }).click();
  await look('threads');
  await page.keyboard.press('Escape');

  await workbench.open(workbench.writeFile('noise.txt', 'no profile at all\n'));
  await expect(page.getByRole('heading', { name: /could not be opened/ })).toBeVisible();
  await look('refused');

  await page.keyboard.press('Alt+Shift+R');
  const dialog = page.getByRole('dialog', { name: 'Record' });
  const runner = processRow(dialog, process.pid);
  await dialog.getByLabel('Filter processes').fill(String(process.pid));
  await runner.click();
  await dialog.getByLabel('Filter processes').fill('');
  await expect(dialog.locator('.plans:not(.outdated) pre')).toBeVisible({ timeout: 20_000 });
  await look('record');
});

test('keeps the tools on one row at 1,440 pixels, however long the value types’ names are', async ({
  workbench,
  page,
}) => {
  const event = 'syscalls:sys_enter_clock_nanosleep_with_a_long_name';
  const sample = (of: string): string => `server 1/1 [000] 1.000000: 1 ${of}: \n\tff work+0x1 (/bin/a)\n\n`;
  await workbench.openText('a.txt', sample(event) + sample('cycles'));
  await page.getByRole('searchbox', { name: /Search functions/ }).fill('work');
  const bar = page.getByRole('toolbar', { name: 'View' });
  await expect(bar.getByRole('status')).toContainText('1/1');
  const tops = await bar.evaluate(({ children }) => [...children].map((tool) => tool.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
});
