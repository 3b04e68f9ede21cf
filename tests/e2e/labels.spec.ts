import { readFileSync } from 'node:fs';
import path from 'node:path';
import { dropFiles } from './drop-files.ts';
import { expect, test } from './workbench.ts';

const SAMPLE = path.join(import.meta.dirname, '../../samples/profiles/pprof/apiserver-before-1/raw.pprof');

test('labels: shown, filtered, grouped', async ({ workbench, page }) => {
  await test.step('shows a profile’s labels on a page of the details pane', async () => {
    await dropFiles(page, [['server.pprof', readFileSync(SAMPLE).toString('base64')]]);
    await expect(workbench.graph).toBeVisible();
    await page.getByText('Labels', { exact: true }).click();
    const panel = page.getByRole('tabpanel', { name: 'Labels' });
    await expect(panel.getByRole('heading', { name: 'endpoint' })).toBeVisible();
    await expect(panel.getByText('POST /v1/orders')).toBeVisible();
  });

  await test.step('a label filters and groups the view, and a granularity changes its frames', async () => {
    const chips = page.getByRole('list', { name: 'Applied to this view' });
    await page.getByRole('button', { name: 'Hide POST /v1/orders', exact: true }).click();
    await expect(chips).toContainText(/hide label: endpoint = POST \/v1\/orders−\d/);
    await expect(page.getByRole('tabpanel', { name: 'Labels' })).not.toContainText('POST /v1/orders');
    await page.getByRole('button', { name: 'Group by endpoint at the root' }).click();
    await expect(workbench.frame('(no endpoint)')).toBeVisible();
    await page.getByRole('button', { name: /^Granularity: / }).click();
    await page.getByRole('menuitemradio', { name: 'files' }).click();
    await expect(chips).toContainText('granularity: files');
    await workbench.drawn();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search commands' }).fill('peek');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+z');
    await expect(chips).not.toContainText('granularity');
  });
});
