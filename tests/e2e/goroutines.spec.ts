import { readFileSync } from 'node:fs';
import path from 'node:path';
import { dropFiles } from './drop-files.ts';
import { expect, test } from './workbench.ts';

const DUMP = path.join(import.meta.dirname, '../fixtures/import/goroutines/server.txt');

test('lists goroutines by stack with their states and waits, and selects the function that waits', async ({
  workbench,
  page,
}) => {
  await dropFiles(page, [['server.txt', readFileSync(DUMP).toString('base64')]]);
  await expect(workbench.graph).toBeVisible();
  await page.getByText('Goroutines', { exact: true }).click();
  const panel = page.getByRole('tabpanel', { name: 'Goroutines' });
  const first = panel.getByRole('listitem').first();
  await expect(first).toContainText(/2.*main\.leak\.func1.*chan send, longest wait 1 min, created by main\.leak/s);
  await first.getByText('1 frame').click();
  await first.getByRole('button', { name: 'main.leak.func1' }).click();
  await page.getByText('Details', { exact: true }).click();
  await expect(page.getByRole('tabpanel', { name: 'Selected function' })).toContainText('main.leak.func1');
});
