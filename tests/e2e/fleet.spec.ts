import path from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { generateFleet } from '../support/generated-fleet.ts';
import { expectAccessibleThemes } from './axe.ts';
import { expectInReach } from './expect-in-reach.ts';
import { expect, test } from './workbench.ts';

/** Ten hosts ran each release; release 1.1 made a function slower on nine of them. */
const SLOWED = 'checksum';
const HOSTILE = '<img src=x onerror=alert(1)>\u202e__proto__';

const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Fleet' });

async function openFleet(page: Page, file: string): Promise<Locator> {
  const dialog = dialogOf(page);
  await dialog.getByRole('textbox', { name: 'Fleet' }).fill(file);
  await dialog.getByRole('button', { name: 'Open fleet' }).click();
  return dialog;
}

test('a fleet is opened, merged, compared with verdicts, and followed to the captures that carry a change', async ({
  workbench,
  page,
  folder,
}) => {
  test.setTimeout(100_000);
  const file = path.join(folder, 'fleet.duckdb');
  const planted = { func: SLOWED, release: '1.1', factor: 2, hosts: 9 };
  await generateFleet(file, { hosts: 10, releases: ['1.0', '1.1'], captures: 1, samples: 1200, planted });

  await workbench.runCommand('Fleet…');
  const dialog = await openFleet(page, file);
  await expect(dialog.getByRole('row', { name: /^page 1\.0 10 10 12,000 / })).toBeVisible();
  await expect(dialog.getByRole('row', { name: /^page 1\.1 10 10 12,000 / })).toBeVisible();
  await expectAccessibleThemes(page, { state: 'fleet', within: 'dialog' });

  await test.step('each of several quick choices counts', async () => {
    const hosts = dialog.getByRole('combobox', { name: /^Host/ });
    await hosts.selectOption({ label: 'web-1' });
    await hosts.selectOption({ label: 'web-2' });
    await dialog.getByRole('combobox', { name: /^Label/ }).selectOption({ label: 'env=test' });
    await expect(dialog.getByRole('row', { name: /^page 1\.0 2 2 / })).toBeVisible();
    for (const chosen of ['host web-1', 'host web-2', 'label env=test'])
      await dialog.getByRole('button', { name: `Remove ${chosen}` }).click();
    await expect(dialog.getByRole('row', { name: /^page 1\.0 10 10 / })).toBeVisible();
  });

  await test.step('a function has a history, whose release is named', async () => {
    await dialog.getByRole('textbox', { name: 'Function' }).fill(SLOWED);
    await dialog.getByRole('button', { name: 'Search' }).click();
    await dialog
      .getByRole('button', { name: `History ${SLOWED}` })
      .first()
      .click();
    await expect(dialog.getByText('First grew in 1.1.')).toBeVisible();
    await expect(dialog.getByRole('row', { name: /^1\.1 .*grew/ })).toBeVisible();
    await expectAccessibleThemes(page, { state: 'history of a fleet', within: 'dialog' });
    await expectInReach(page, 'history of a fleet');
    // All captures of a release started in one minute.
    await dialog.getByRole('radio', { name: 'By minute' }).check({ force: true });
    await expect(dialog.getByText('No release is known to have increased total.')).toBeVisible();
    await dialog.getByRole('radio', { name: 'By host' }).check({ force: true });
    await dialog.getByRole('radio', { name: 'Self' }).check({ force: true });
    await expect(dialog.getByRole('columnheader', { name: 'Self against the release before' })).toBeVisible();
    await expect(dialog.getByText('First grew in 1.1.')).toBeVisible();
  });

  await test.step('the selected captures open as one profile, again after a reload', async () => {
    await dialog.getByRole('combobox', { name: /^Release/ }).selectOption('1.0');
    await expect(dialog.getByRole('row', { name: /^page 1\.1/ })).toHaveCount(0);
    // What was found in other captures is not shown for these.
    await expect(dialog.getByText('First grew in 1.1.')).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Open 10 captures merged' }).click();
    await expect(workbench.tab('1.0')).toBeVisible();
    await expect(workbench.graph).toBeVisible();
    await workbench.numbersAgree();
    await page.reload();
    await expect(workbench.tab('1.0')).toBeVisible();
    await expect(workbench.graph).toBeVisible();
  });

  await test.step('two releases are compared host by host', async () => {
    await workbench.runCommand('Fleet…');
    await expect(dialog.getByRole('textbox', { name: 'Fleet' })).toHaveValue(file);
    await dialog.getByRole('button', { name: 'Open fleet' }).click();
    await dialog.getByRole('button', { name: 'Compare by host' }).click();
    await expect(workbench.tab('1.0 ↔ 1.1')).toBeVisible();
    await expect(workbench.graph).toHaveCount(2, { timeout: 30_000 });
    await expect(page.getByText(/checksum grew/).first()).toBeVisible();
  });

  await test.step('the change leads to the captures that carry it, each of which opens', async () => {
    await page.getByRole('button', { name: /^checksum \+/ }).click();
    await workbench.runCommand('Show the captures of the fleet that carry');
    const rows = dialog.getByRole('region', { name: 'Captures by share' }).getByRole('row');
    // The header, and 20 captures: those of the nine hosts come first.
    await expect(rows).toHaveCount(21);
    for (let place = 1; place <= 9; place++) await expect(rows.nth(place)).toContainText(/afterweb-[1-9]1\.1/);
    await expectAccessibleThemes(page, { state: 'captures of a change', within: 'dialog' });
    await rows.nth(1).getByRole('button').click();
    await expect(workbench.openTabs.getByRole('tab', { name: /^page-server 1 [0-8] 1\.1 0$/ })).toBeVisible();
    await expect(workbench.graph).toBeVisible();
  });
});

test('what is not a fleet is refused with its reason, and hostile names are only text', async ({
  workbench,
  page,
  folder,
}) => {
  test.setTimeout(100_000);
  const file = path.join(folder, 'hostile.duckdb');
  await generateFleet(file, { hosts: 1, releases: [HOSTILE, 'b'], captures: 3, samples: 50 });
  await workbench.runCommand('Fleet…');
  const dialog = await openFleet(page, path.join(folder, 'absent.duckdb'));
  await expect(dialog.getByRole('alert')).toContainText('There is no fleet at');
  await openFleet(page, workbench.writeFile('text.duckdb', 'no database'));
  await expect(dialog.getByRole('alert')).toContainText('is not a fleet of Flamebench');
  await openFleet(page, 'fleet.duckdb');
  await expect(dialog.getByRole('alert')).toContainText('is not an absolute path');
  await openFleet(page, file);
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await expect(dialog.getByRole('rowheader', { name: /^<img src=x onerror=alert\(1\)>/ })).toBeVisible();
  await expect(dialog.locator('img')).toHaveCount(0);
  await dialog.getByRole('radio', { name: 'Times' }).check({ force: true });
  await dialog.getByRole('textbox', { name: 'Changed at' }).fill('yesterday');
  await expect(dialog.getByRole('button', { name: 'Compare by host' })).toBeDisabled();
  // The generated releases are of January 1st and 2nd.
  await dialog.getByRole('textbox', { name: 'Changed at' }).fill('2026-01-01T12:00Z');
  await dialog.getByRole('button', { name: 'Compare by host' }).click();
  await expect(workbench.tab('before ↔ after 2026-01-01T12:00Z')).toBeVisible();
  await expect(workbench.graph).toHaveCount(2, { timeout: 30_000 });

  await test.step('minutes are compared, also after a reload', async () => {
    await workbench.tab('before ↔ after 2026-01-01T12:00Z').press('Delete');
    await workbench.runCommand('Fleet…');
    await openFleet(page, file);
    await dialog.getByRole('radio', { name: 'Times' }).check({ force: true });
    await dialog.getByRole('textbox', { name: 'Changed at' }).fill('2026-01-01T12:00Z');
    await dialog.getByRole('button', { name: 'Compare by minute' }).click();
    const expectMinutes = async (): Promise<void> => {
      await expect(workbench.tab('before ↔ after 2026-01-01T12:00Z')).toBeVisible();
      await expect(workbench.graph).toHaveCount(2, { timeout: 30_000 });
      await expect(page.getByText('3 captures × 30 s')).toHaveCount(2);
    };
    await expectMinutes();
    await page.reload();
    await expectMinutes();
  });
});
