import path from 'node:path';
import { startEngineProcess } from './engine-process.ts';
import { FOLDED } from './inputs.ts';
import { expect, test } from './workbench.ts';

test('a used link opens nothing', async ({ page, engine, workbench, context }) => {
  await expect(workbench.status).toContainText('engine ready');
  const other = await context.newPage();
  await other.goto(engine.url);
  await expect(other.getByRole('heading', { name: 'This page has no session' })).toBeVisible();
  await expect(other.getByRole('main')).toContainText('once, within 15 minutes. For a new link, press Enter');
  await expect(page.getByText('Record…').first()).toBeVisible();
});

test('a part whose first request ends early loads all the same', async ({ workbench, page, expectedErrors }) => {
  expectedErrors.push(/ERR_FAILED/);
  let requests = 0;
  await page.route('**/settings-dialog-*.js', async (route) => {
    requests += 1;
    await (requests === 1 ? route.abort('failed') : route.continue());
  });
  await page.keyboard.press('Control+,');
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  expect(requests).toBe(2);
  await page.keyboard.press('Escape');
  await expect(workbench.status).toContainText('engine ready');
});

test('without the engine, open tabs stay usable, and the window reports it', async ({
  workbench,
  page,
  engine,
  folder,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_CONNECTION_REFUSED|WebSocket|401|Failed to load resource/);
  await workbench.openText('a.folded', FOLDED);
  const port = Number(new URL(engine.url).port);
  await engine.close();
  await expect(page.getByRole('alert')).toContainText('does not answer');
  await workbench.clickFrame('work');
  await expect(workbench.zoomedInto).toHaveText('work');
  const again = await startEngineProcess({ library: path.join(folder, 'library'), port });
  try {
    // A new engine has new sessions, which only the link that it prints opens.
    const unknown = page.getByRole('alert').filter({ hasText: 'does not know this session' });
    // The window also retries by itself, perhaps before the click.
    await Promise.race([page.getByRole('button', { name: 'Reconnect' }).click(), unknown.waitFor()]);
    await expect(unknown).toBeVisible();
    await page.goto(again.url);
    await expect(workbench.status).toContainText('engine ready');
  } finally {
    await again.close();
  }
});
