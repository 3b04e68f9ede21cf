import path from 'node:path';
import { readFileSync } from 'node:fs';
import { expectAccessibleThemes } from './axe.ts';
import { expect, test, Workbench } from './workbench.ts';

test('the first window of an empty library opens the guided comparison, which can be left; the next start does not', async ({
  page,
  folder,
  engineHost,
}) => {
  test.setTimeout(180_000);
  const places = { libraryPath: path.join(folder, 'library'), configPath: path.join(folder, 'config'), guide: true };
  const workbench = new Workbench(page, folder);
  const guide = page.getByRole('region', { name: 'First minute' });
  const next = guide.getByRole('button', { name: 'Next' });
  const first = await engineHost.start(places);
  await page.goto(first.url);
  await expect(guide.getByRole('status')).toContainText('1 of 4 Read the answer.');
  await expect(workbench.tab('page-server, before ↔ after')).toHaveAttribute('aria-selected', 'true');
  await expect(workbench.graph).toHaveCount(2, { timeout: 60_000 });
  await expectAccessibleThemes(page, { within: '.guide', minor: true });

  await next.click();
  await guide.getByRole('button', { name: 'Select it' }).click();
  const largest = page.getByRole('list', { name: 'Largest changes' }).getByRole('button').first();
  await expect(largest).toHaveAttribute('aria-pressed', 'true');
  await expect(largest).toContainText('match_route');
  await next.click();
  await expect(guide.getByRole('status')).toContainText('3 of 4');
  await next.click();
  await guide.getByRole('button', { name: 'Report…' }).click();
  await expect(page.getByRole('dialog', { name: /Report/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await guide.getByRole('button', { name: 'Back' }).click();
  await guide.getByRole('button', { name: 'Back' }).press('Escape');
  await expect(guide).toBeHidden();
  await expect(workbench.graph).toHaveCount(2);

  await workbench.openTabs.getByRole('tab').press('Delete');
  const start = page.getByRole('region', { name: 'Start' });
  await expect(start).toBeVisible();
  const sessions = path.join(folder, 'config', 'sessions.json');
  await expect.poll(() => readFileSync(sessions, 'utf8')).toMatch(/"tabs": ?\[\]/);
  await first.close();
  const second = await engineHost.start(places);
  await page.goto('about:blank');
  await page.goto(second.url);
  await expect(workbench.status).toContainText('engine ready');
  await start.getByRole('button', { name: /^First minute/ }).click();
  await expect(guide.getByRole('status')).toContainText('1 of 4');
  await guide.getByRole('button', { name: 'Leave' }).click();
  await expect(guide).toBeHidden();
  await second.close();
});
