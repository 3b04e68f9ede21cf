import { expectAccessible } from './axe.ts';
import type { Locator, Page } from 'playwright/test';
import { FOLDED, perfScript } from './inputs.ts';
import { expect, test } from './workbench.ts';

const side = (page: Page, name: 'Before' | 'After'): Locator => page.getByRole('region', { name, exact: true });
const deltas = (page: Page): Locator => page.getByRole('grid', { name: /deltas|Functions/i });
const row = (page: Page, name: string): Locator => deltas(page).getByRole('row', { name: new RegExp(`^${name} `) });
const graphs = (page: Page): Locator => page.locator('.compare-graphs').getByRole('tree');

test('compares the bundled runs: reading, search, zoom, swap, what shrank', async ({ workbench, page }) => {
  await test.step('reading shows progress, is cancelled immediately, and restarts', async () => {
    await workbench.openRun();
    // Captures are not delivered until the test allows it.
    await page.route('**/file/**', () => undefined);
    await workbench.runCommand('Compare with page-server, after');
    await expect(page.getByRole('status').filter({ hasText: 'Reading 1 of 10 captures' })).toBeVisible();
    await page.getByRole('tabpanel').getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByText('The comparison was cancelled.')).toBeVisible();
    await page.unrouteAll();
    await page.getByRole('tabpanel').getByRole('button', { name: 'Compare', exact: true }).click();
    // Ten captures are read.
    await expect(graphs(page)).toHaveCount(2, { timeout: 30_000 });
  });
  await test.step('both sides are named, and what shrank is listed', async () => {
    await expect(side(page, 'Before')).toContainText('page-server, before');
    await expect(side(page, 'Before')).toContainText('5 captures');
    await expect(side(page, 'After')).toContainText('page-server, after');
    await expect(row(page, 'match_route')).toContainText('shrank');
    await expect(page.getByRole('complementary', { name: 'Details' })).toContainText('match_route');
  });
  await test.step('a search says the share of both sides', async () => {
    await page.getByRole('searchbox', { name: 'Search functions by regular expression' }).fill('^match_route$');
    await expect(page.locator('.search-result')).toContainText('→ 0.0 %');
  });
  const zoomed = page.getByRole('navigation', { name: 'Zoomed into' }).locator('[aria-current]');
  await test.step('a click zooms both, and the sides are swapped and swapped back', async () => {
    await workbench.clickFrame(graphs(page).first().getByText('handle_request'));
    await expect(zoomed).toHaveText(['handle_request', 'handle_request']);
    await graphs(page).first().press('x');
    await expect(side(page, 'Before')).toContainText('page-server, after');
    await expect(row(page, 'match_route')).toContainText('grew');
    await expect(zoomed).toHaveText(['handle_request', 'handle_request']);
    await page.keyboard.press('Control+z');
    await expect(row(page, 'match_route')).toContainText('shrank');
  });
  await test.step('a transform applies to both, and is removed', async () => {
    await row(page, 'compress_body').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Hide stacks with this function' }).click();
    const applied = page.getByRole('list', { name: 'Applied to both sides' });
    await expect(applied).toContainText(/left out: [\d.]+ % before, [\d.]+ % after/);
    await expect(row(page, 'compress_body')).toHaveCount(0);
    await workbench.runCommand('Check this comparison');
    await expect(page.getByText('The numbers agree')).toBeVisible();
    await applied.getByRole('button', { name: /^Remove / }).click();
    await expect(row(page, 'compress_body')).toBeVisible();
  });
  await test.step('the graph of deltas and the zoom outlast a reload', async () => {
    const kept = page.waitForRequest(
      (request) => request.url().includes('session.save') && request.postData()?.includes('"graph":"delta"') === true,
    );
    await workbench.chooseRadio('Delta graph');
    await expect(graphs(page)).toHaveCount(1);
    await (await kept).response();
    await page.reload();
    await expect(page.getByRole('radio', { name: 'Delta graph' })).toBeChecked();
    await expect(row(page, 'match_route')).toContainText('shrank');
    await expect(zoomed).toHaveText(['handle_request']);
  });
});

test('comparisons of files: two counts per line, failures, transforms, a selection per side', async ({
  workbench,
  page,
}) => {
  await test.step('a folded file with two counts per line opens as a comparison of them', async () => {
    const file = workbench.writeFile('changes.folded', 'main;parse 30 10\nmain;send 20 20\nmain;gone 5 0\n');
    await workbench.open(file);
    await expect(graphs(page)).toHaveCount(2);
    await expect(workbench.openTabs.getByRole('tab', { selected: true })).toContainText('changes.folded');
    await expect(row(page, 'parse')).toContainText('54.55 %33.33 %-21.21 pp');
    await expect(row(page, 'gone')).toContainText('9.09 %–');
    // Shares add up to zero, whatever rounding leaves.
    await expect(page.locator('.table-footer')).toHaveText('sum of Δ self 0.00 ppof 0.00 pp');
    await expect(page.getByText('Different events')).toHaveCount(0);
    // It is still a file, and becomes a comparison only once.
    await workbench.openTabs.getByRole('tab').first().click();
    await expect(workbench.graph).toBeVisible();
    await expect(workbench.openTabs.getByRole('tab')).toHaveCount(2);
  });
  await test.step('shows in place why something cannot be read or compared; everything else stays usable', async () => {
    await workbench.openText('one.folded', FOLDED);
    await workbench.openText('other.folded', 'main;work;inner 10\nmain;idle 60\n');
    await workbench.tab('one.folded').click();
    await workbench.runCommand('Compare with other.folded');
    await expect(graphs(page)).toHaveCount(2);
    await expect(page.getByText('maybe: 1 run a side').first()).toBeVisible();
    await expect(row(page, 'inner')).toContainText('maybe');

    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add a capture to after' }).click();
    await page.getByRole('button', { name: 'Files…' }).click();
    await (await chooser).setFiles(workbench.writeFile('broken.bin', new Uint8Array([0, 1, 2, 3])));
    const unreadable = page.getByRole('list', { name: 'Unreadable captures' });
    await expect(unreadable).toContainText('broken.bin is left out');
    await graphs(page).first().press('x');
    await expect(side(page, 'Before')).toContainText('2 captures');
    await expect(row(page, 'inner')).toContainText('60');
    await unreadable.getByRole('button', { name: 'Remove it' }).click();
    await expect(unreadable).toBeHidden();
    await workbench.chooseRadio('Captures');
    await page.getByRole('button', { name: 'Remove one.folded' }).click();
    await expect(page.getByText('The after side has no readable capture.')).toBeVisible();
    await workbench.runCommand('Undo');
    await expect(row(page, 'inner')).toContainText('60');
    await page.getByRole('button', { name: 'Remove one.folded' }).click();
    await expect(page.getByText('The after side has no readable capture.')).toBeVisible();
    await page.getByRole('button', { name: 'Add a capture to after' }).click();
    const again = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Files…' }).click();
    await (await again).setFiles(workbench.writeFile('one.folded', FOLDED));
    await expect(row(page, 'inner')).toContainText('60');
    await workbench.runCommand('Check this comparison');
    await expect(page.getByText('The numbers agree')).toBeVisible();
  });
  await test.step('the dialog edits a transform of both sides, and warns if one side has no match', async () => {
    await workbench.openText('idle.folded', 'main;work;inner 40\nmain;idle 60\n');
    await workbench.openText('rest.folded', 'main;work;inner 10\nmain;rest 90\n');
    await workbench.tab('idle.folded').click();
    await workbench.runCommand('Compare with rest.folded');
    await expect(graphs(page)).toHaveCount(2);
    await page.keyboard.press('Alt+Shift+A');
    const dialog = page.getByRole('dialog', { name: 'Add transform' });
    await dialog.getByText('Hide', { exact: true }).click();
    const pattern = dialog.getByLabel('Regular expression over function names');
    await pattern.fill('^idle$');
    await expect(dialog).toContainText('Finds nothing after; its effect on the other side would look like a change.');
    await pattern.fill('^(idle|rest)$');
    await expect(dialog).toContainText('Leaves out 75.0 %');
    await expect(dialog).not.toContainText('would look like');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const chips = page.getByRole('list', { name: 'Applied to both sides' });
    await expect(chips).toContainText('hide stacks with: /^(idle|rest)$/i');
    await expect(row(page, 'rest')).toBeHidden();
    await chips.getByRole('button', { name: /^hide stacks with/ }).click();
    await page.getByRole('dialog', { name: 'Edit transform' }).getByText('Merge', { exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect(chips).toContainText('merge: /^(idle|rest)$/i');
  });
  await test.step('each side has its own value type, threads and time range', async () => {
    await workbench.openText('a.perf.txt', perfScript());
    await workbench.openText('b.perf.txt', perfScript());
    await workbench.runCommand('Compare with a.perf.txt');
    await expect(graphs(page)).toHaveCount(2);
    await page.getByRole('button', { name: /^Selection before/ }).click();
    await page
      .getByRole('button', { name: /^thread/ })
      .first()
      .click();
    await page.getByRole('option', { name: /worker/ }).click();
    await expect(row(page, 'run_worker')).toContainText(/-?[\d.]+ %|ms/);
    await expect(side(page, 'Before')).toContainText('cpu-clock · worker');
    await expect(row(page, 'serve')).toContainText('new');
    const strip = page.getByRole('slider', { name: /^Time range after/ });
    await strip.press('ArrowRight');
    await expect(side(page, 'After').getByRole('button', { name: /^Selection after: .*ms/ })).toBeVisible();
    await page.getByLabel('Value type after').selectOption({ label: 'page-faults, count' });
    // A value type that is not chosen follows the other side.
    await expect(row(page, 'fault')).toBeVisible();
    await page.getByLabel('Value type before').selectOption({ label: 'cpu-clock, ns' });
    await page.getByRole('button', { name: /^1 \+ 1 runs/ }).click();
    await page.getByRole('button', { name: /more warning/ }).click();
    await expect(page.getByText(/Different events \(cpu-clock, page-faults\)/)).toBeVisible();
    await expectAccessible(page, { within: '.compare', without: '.flame-scroller' });
  });
});
