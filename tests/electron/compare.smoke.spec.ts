import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'playwright/test';
import type { Locator, Page } from 'playwright/test';
import { root } from '../../scripts/run-command.ts';
import { dropFiles } from '../e2e/drop-files.ts';
import { launchShell } from './launch-shell.ts';

const side = (page: Page, name: 'Before' | 'After'): Locator => page.getByRole('region', { name, exact: true });
const graphs = (page: Page): Locator => page.locator('.compare-graphs').getByRole('tree');
const deltas = (page: Page): Locator => page.getByRole('grid', { name: /deltas|Functions/i });

/** Returns one capture of the bundled sample, as a file named after its side. */
function sample(which: 'before' | 'after'): readonly [name: string, base64: string] {
  const file = `samples/profiles/perf-script/page-server-${which}-1/raw.perf-script.txt.gz`;
  return [`server-${which}.txt.gz`, readFileSync(path.join(root, file)).toString('base64')];
}

test('compares two dropped files: search, zoom, swap, what may have changed', async () => {
  const shell = await launchShell();
  try {
    const { page } = shell;
    await expect(page.locator('main')).toBeVisible();
    await dropFiles(page, [sample('after'), sample('before')]);
    const dialog = page.getByRole('dialog', { name: 'Compare these two?' });
    await expect(dialog.locator('dd')).toHaveText(['server-before.txt.gz', 'server-after.txt.gz']);
    await dialog.getByRole('button', { name: 'Compare', exact: true }).click();
    await expect(graphs(page)).toHaveCount(2);
    await expect(side(page, 'Before')).toContainText('server-before.txt.gz');
    // The chip says how far the verdicts carry, and unfolds to the method.
    await page.getByRole('button', { name: /^1 \+ 1 runs/ }).click();
    await expect(page.getByText('Within this run only.')).toBeVisible();
    await page.keyboard.press('Escape');

    await page.getByRole('searchbox', { name: 'Search functions by regular expression' }).fill('^match_route$');
    await expect(page.locator('.search-result')).toContainText('→ 0.0 %');

    // The label is above its frame and lets clicks through.
    await graphs(page).first().getByText('handle_request').first().click({ force: true });
    const zoomed = page.getByRole('navigation', { name: 'Zoomed into' }).locator('[aria-current]');
    await expect(zoomed).toHaveText(['handle_request', 'handle_request']);

    const changed = deltas(page).getByRole('row', { name: /^match_route / });
    await expect(changed).toContainText('gone');
    await graphs(page).first().press('x');
    await expect(side(page, 'Before')).toContainText('server-after.txt.gz');
    await expect(changed).toContainText('new');
    await expect(zoomed).toHaveText(['handle_request', 'handle_request']);

    // One capture per side proves nothing, so no function is called grew or shrank.
    const show = page.getByRole('combobox', { name: 'show' });
    await show.selectOption('changed');
    await expect(changed).toBeHidden();
    await show.selectOption('suggestive');
    await expect(changed).toContainText('maybe');
  } finally {
    await shell.close();
  }
});
