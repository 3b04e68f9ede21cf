import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { dropFiles } from './drop-files.ts';
import { startEngineProcess } from './engine-process.ts';
import { FOLDED } from './inputs.ts';
import { expect, test } from './workbench.ts';
import type { Workbench } from './workbench.ts';

const OTHER = FOLDED.replaceAll(/(\d+)$/gm, (count) => String(Number(count) * 2));

const capture = (workbench: Workbench, name: string): Locator =>
  workbench.library.getByRole('button', { name: new RegExp(`^${name}`) }).last();
const experiment = (workbench: Workbench, name: string): Locator =>
  workbench.library.locator('.experiment > .side-row').filter({ hasText: name });
const side = (page: Page, name: 'Before' | 'After'): Locator => page.getByRole('region', { name, exact: true });
const sideRow = (workbench: Workbench, name: 'before' | 'after'): Locator =>
  workbench.library.locator('.experiment-sides > li > .side-row').filter({ hasText: name });

/** Adds files to the library, in this order. */
async function keep(workbench: Workbench, ...files: readonly (readonly [name: string, text: string])[]): Promise<void> {
  await expect(workbench.status).toContainText('engine ready');
  await dropFiles(
    workbench.page,
    files.map(([name, text]) => [name, base64(text)]),
    '.sidebar',
  );
  for (const [name] of files) await expect(capture(workbench, name)).toBeVisible();
}

/** Chooses two captures of the library and saves them as an experiment. */
async function makeExperiment(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  await keep(workbench, ['one.folded', FOLDED], ['two.folded', OTHER]);
  const tray = page.getByRole('region', { name: 'To compare' });
  await capture(workbench, 'two.folded').press('ControlOrMeta+Space');
  await expect(tray.locator('.tray-side')).toHaveText([/^before\s*two\.folded$/, /^after/]);
  await capture(workbench, 'one.folded').press('ControlOrMeta+Space');
  // The older one is *before*, whichever was chosen first.
  await expect(tray.locator('.tray-side')).toHaveText([/^before\s*one\.folded$/, /^after\s*two\.folded$/]);
  await tray.getByRole('button', { name: 'Compare these two' }).click();
  await expect(side(page, 'Before')).toContainText('one.folded');
  await page.getByRole('button', { name: 'Save as experiment' }).click();
  await expect(experiment(workbench, 'one.folded ↔ two.folded')).toBeVisible();
}

const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');

test('captures become an experiment, which saves changes, and is exported and imported', async ({
  workbench,
  page,
  expectedErrors,
}) => {
  await makeExperiment(workbench);
  await page.getByRole('button', { name: 'Notes…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Experiment' });
  await dialog.getByLabel('Name').fill('page cache');
  await dialog.getByLabel('Label of before').fill('cache off');
  await dialog.getByLabel('Notes').fill('On a Tuesday.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(workbench.tab('page cache')).toBeVisible();

  const saved = page.waitForResponse((answer) => answer.url().includes('/rpc/experiment.change'));
  await page.getByRole('button', { name: /^Swap/ }).click();
  await expect(side(page, 'Before')).toContainText('two.folded');
  await saved;
  await workbench.tab('page cache').press('Delete');
  await expect(workbench.tab('page cache')).toBeHidden();
  await experiment(workbench, 'page cache').click();
  await expect(side(page, 'Before')).toContainText('two.folded');

  await workbench.library.getByRole('button', { name: 'Sides of page cache' }).click();
  await expect(sideRow(workbench, 'after')).toContainText('after · cache off');
  await expect(workbench.library.locator('.experiment-notes')).toHaveText('On a Tuesday.');

  const download = page.waitForEvent('download');
  await experiment(workbench, 'page cache').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Export to a file' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('page cache.flamebench-experiment');
  const bundle = readFileSync(await file.path());
  await experiment(workbench, 'page cache').press('Delete');
  await expect(experiment(workbench, 'page cache')).toHaveCount(0);
  await expect(capture(workbench, 'one.folded')).toBeVisible();

  await dropFiles(page, [['page cache.flamebench-experiment', base64(bundle)]]);
  await expect(page.getByText('page cache was imported with 0 new captures.')).toBeVisible();
  await expect(experiment(workbench, 'page cache')).toBeVisible();
  expectedErrors.push(/409/);
  await dropFiles(page, [['broken.flamebench-experiment', base64(bundle.subarray(0, 300))]]);
  await expect(page.getByText(/Not a valid experiment file/)).toBeVisible();

  const given = path.join(workbench.folder, 'page cache.flamebench-experiment');
  writeFileSync(given, bundle);
  const elsewhere = path.join(workbench.folder, 'elsewhere');
  const engine = await startEngineProcess({ library: elsewhere, config: `${elsewhere}-config`, files: [given] });
  try {
    await page.goto(engine.url);
    await expect(page.getByText('page cache was imported with 2 new captures.')).toBeVisible();
    await expect(side(page, 'Before')).toContainText('two.folded');
  } finally {
    await page.goto('about:blank');
    await engine.close();
  }
});

test('two files dropped together are offered as a pair, and saved with their files', async ({ workbench, page }) => {
  await dropFiles(page, [
    ['app-after.folded', base64(OTHER)],
    ['app-before.folded', base64(FOLDED)],
  ]);
  const dialog = page.getByRole('dialog', { name: 'Compare these two?' });
  await expect(dialog.locator('dd')).toHaveText(['app-before.folded', 'app-after.folded']);
  await dialog.getByRole('button', { name: 'Swap' }).click();
  await expect(dialog.locator('dd')).toHaveText(['app-after.folded', 'app-before.folded']);
  await dialog.getByRole('button', { name: 'Swap' }).click();
  await dialog.getByRole('button', { name: 'Compare' }).click();
  await expect(side(page, 'Before')).toContainText('app-before.folded');
  await expect(side(page, 'After')).toContainText('app-after.folded');
  const kept = page.waitForRequest((request) =>
    /session\.save[^]*experiment-/.test(`${request.url()}${request.postData() ?? ''}`),
  );
  await page.getByRole('button', { name: 'Save as experiment' }).click();
  await expect(experiment(workbench, 'app-before.folded ↔ app-after.folded')).toBeVisible();
  await expect(capture(workbench, 'app-before.folded')).toBeVisible();
  await (await kept).response();
  await page.reload();
  await expect(side(page, 'After')).toContainText('app-after.folded');
});

test('captures are added by dragging; a trashed one is named, the others open', async ({ workbench, page }) => {
  await makeExperiment(workbench);
  await keep(workbench, ['three.folded', OTHER]);
  await workbench.library.getByRole('button', { name: /^Sides of/ }).click();
  await capture(workbench, 'three.folded').dragTo(sideRow(workbench, 'after'));
  await expect(sideRow(workbench, 'after')).toContainText('2 runs');
  // The open tab has it as well.
  await expect(side(page, 'After')).toContainText('2 captures');
  await workbench.tab('one.folded ↔ two.folded').press('Delete');
  await expect(workbench.tab('one.folded ↔ two.folded')).toBeHidden();

  await capture(workbench, 'three.folded').press('Delete');
  await expect(experiment(workbench, 'one.folded')).toContainText('1 missing');
  await experiment(workbench, 'one.folded').click();
  await expect(page.getByText(/missing: three\.folded\./)).toBeVisible();
  await expect(side(page, 'After')).toContainText('two.folded');
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(experiment(workbench, 'one.folded')).not.toContainText('missing');
  await expect(side(page, 'After')).toContainText('2 captures');
});

test('compares an open profile with a capture of the library', async ({ workbench, page }) => {
  await keep(workbench, ['one.folded', FOLDED]);
  await workbench.openText('two.folded', OTHER);
  await workbench.tab('two.folded').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Compare with…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Compare with' });
  await dialog.getByText('after', { exact: true }).click();
  await dialog.getByRole('option', { name: /one\.folded/ }).click();
  await expect(side(page, 'Before')).toContainText('one.folded');
  await expect(side(page, 'After')).toContainText('two.folded');
});

test('records before and after alternately into an experiment', async ({ workbench, page }) => {
  await expect(workbench.status).toContainText('engine ready');
  await page
    .getByRole('button', { name: /^Record/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Record' });
  await dialog.getByLabel('Purpose of the recording').selectOption({ label: 'before and after, alternating' });
  await dialog.getByText('Command', { exact: true }).first().click();
  await dialog.getByLabel('Command before').fill("sh -c 'while :; do :; done'");
  await expect(dialog).toContainText('Type the after command.');
  await dialog.getByLabel('Command after').fill("sh -c 'while true; do true; done'");
  await dialog.getByLabel('Duration').fill('1');
  // The number of runs that verdicts need.
  await expect(dialog.getByLabel('Repeat')).toHaveValue('3');
  await dialog.getByLabel('Repeat').fill('1');
  await dialog.getByLabel('Name').fill('loops');
  await expect(dialog.getByRole('button', { name: 'Start recording' })).toBeEnabled({ timeout: 20_000 });
  await dialog.getByRole('button', { name: 'Start recording' }).click();
  await expect(workbench.tab('loops')).toBeVisible({ timeout: 40_000 });
  await expect(experiment(workbench, 'loops')).toContainText('2 × 1');
  await expect(side(page, 'Before')).toContainText('loops before');
  await expect(side(page, 'After')).toContainText('loops after');
});

test('importing a profile as an experiment offers to open it', async ({ workbench, page }) => {
  await page.getByLabel('Experiment to import').setInputFiles(workbench.writeFile('a.folded', FOLDED));
  await expect(page.getByText('a.folded is not an exported experiment')).toBeVisible();
  await page.getByRole('button', { name: 'Open as a profile' }).click();
  await expect(workbench.tab('a.folded')).toBeVisible();
  await expect(workbench.graph).toBeVisible();
});
