import { readFileSync } from 'node:fs';
import path from 'node:path';
import { dropFiles } from './drop-files.ts';
import { expect, test } from './workbench.ts';

const SAMPLE = path.join(import.meta.dirname, '../../samples/profiles/pprof/apiserver-before-1/raw.pprof');

test('labels of a profile are a page of the details pane', async ({ workbench, page }) => {
  await dropFiles(page, [['server.pprof', readFileSync(SAMPLE).toString('base64')]]);
  await expect(workbench.graph).toBeVisible();
  await page.getByText('Labels', { exact: true }).click();
  const panel = page.getByRole('tabpanel', { name: 'Labels' });
  await expect(panel.getByRole('heading', { name: 'endpoint' })).toBeVisible();
  await expect(panel.getByText('POST /v1/orders')).toBeVisible();
});
