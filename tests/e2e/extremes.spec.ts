import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FOLDED } from './inputs.ts';
import { expect, test } from './workbench.ts';

test('damaged captures, two windows, and deep stacks', async ({ workbench, page, context, engine }) => {
  await test.step('names a damaged folder of the library with its remedy, and deletes it', async () => {
    const folder = path.join(workbench.folder, 'library', '20260101-000000-abcdef');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'capture.json'), '{ "schemaVersion": 1,');
    await page.reload();
    const broken = workbench.library.getByText('broken');
    await expect(broken).toBeVisible();
    await broken.click();
    await expect(workbench.library.getByRole('paragraph').filter({ hasText: 'capture.json' }).first()).toBeVisible();
    await workbench.library.getByRole('button', { name: 'Delete 20260101-000000-abcdef' }).click();
    await expect(broken).toBeHidden();
    expect(existsSync(folder)).toBe(false);
  });
  await test.step('two windows on one library show the same state', async () => {
    await workbench.openText('shared.folded', FOLDED);
    const second = await context.newPage();
    const token = await page.evaluate(() => window.sessionStorage.getItem('flamebench-session'));
    await second.addInitScript((session) => {
      window.sessionStorage.setItem('flamebench-session', session ?? '');
    }, token);
    await second.goto(new URL('/', engine.url).href);
    await page.getByRole('button', { name: 'Keep' }).click();
    await expect(second.getByRole('button', { name: /^shared\.folded/ })).toBeVisible();
    await second.close();
  });
  await test.step('a stack of 100,000 frames and a name of 1 MB leave the window usable', async () => {
    const deep = Array.from({ length: 100_000 }, (_, depth) => `f${depth % 1000}`).join(';');
    await workbench.openText('deep.folded', `${deep} 5\nmain;${'x'.repeat(1_000_000)} 5\n`);
    await workbench.table.getByRole('row', { name: /^f999\b/ }).click();
    await expect(workbench.details).toContainText('Heaviest stack');
    // The message about the trash lies above the frame.
    await workbench.closeMessage(page.locator('.notice'));
    await workbench.clickFrame('main');
    await expect(workbench.zoomedInto).toHaveText('main');
    await page.getByLabel('Filter functions').fill('xxxx');
    await expect(workbench.table.getByRole('row', { name: /xxx/ })).toBeVisible();
    await workbench.table.getByRole('row', { name: /xxx/ }).click();
    await expect(workbench.details.getByRole('heading', { name: /^x+…x+$/ })).toBeVisible();
    await workbench.chooseRadio('Bottom-up');
    await expect(workbench.graph).toBeVisible();
  });
});
