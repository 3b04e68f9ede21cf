import { readFileSync } from 'node:fs';
import { expectAccessibleThemes } from './axe.ts';
import type { Locator, Page } from 'playwright/test';
import { expect, test } from './workbench.ts';
import type { Workbench } from './workbench.ts';

const table = (page: Page): Locator => page.getByRole('grid', { name: /^Functions before and after/ });
const row = (page: Page, name: string): Locator =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByText(name, { exact: true }) });
const names = (page: Page): Promise<string[]> => table(page).locator('tbody td:first-child').allTextContents();
const says = (page: Page): Locator => page.getByRole('region', { name: 'Summary' });
/** Unfolds the chip to method, formula and circumstances. */
async function unfoldTrust(page: Page): Promise<Locator> {
  await says(page)
    .getByRole('button', { name: /^\d+ \+ \d+ runs/ })
    .click();
  return page.getByRole('dialog', { name: 'Method' });
}
const show = (page: Page): Locator => page.getByRole('combobox', { name: 'show' });
const panel = (page: Page): Locator => page.getByRole('complementary', { name: 'Details' });
const openPanel = (page: Page, name: string): Promise<void> =>
  panel(page).getByText(name, { exact: true }).first().click();

/** Compares the bundled runs before and after, five per side. */
async function compareSamples(workbench: Workbench): Promise<void> {
  await workbench.openRun();
  await workbench.compareRuns();
  await expect(row(workbench.page, 'match_route')).toBeVisible();
}

/** Compares two texts, one per side, as files of these names. */
async function compareTexts(
  workbench: Workbench,
  [one, two]: [string, string],
  before: string,
  after: string,
): Promise<void> {
  await workbench.openText(one, before);
  await workbench.openText(two, after);
  await workbench.tab(one).click();
  await expect(workbench.tab(one)).toHaveAttribute('aria-selected', 'true');
  await workbench.runCommand(`Compare with ${two}`);
  await expect(table(workbench.page)).toBeVisible();
}

test('five runs per side: changes are summarised, judged and listed', async ({ workbench, page }) => {
  await compareSamples(workbench);
  const movers = panel(page).getByRole('list', { name: 'Top movers' }).getByRole('button');
  await test.step('the summary names movers, their intervals and the normalisation', async () => {
    await expect(movers.first()).toHaveText(
      /^▼match_route is goneself [\d.]+ ms per second before, 0 after \(-[\d.]+ ms ± [\d.]+ ms, 99\.\d+ % interval\)$/,
    );
    await expect(says(page)).toContainText(
      '×0.80 in all: load, machine or code. Relative to the typical function, match_route is gone',
    );
    await expect(says(page)).toContainText(/5 \+ 5 runs · CPUs used: different · factor ×0\.99/);
    await expect(says(page)).not.toContainText('value = weight');
    const head = [says(page), page.getByRole('toolbar', { name: 'Comparison' })];
    const heights = await Promise.all(head.map(async (part) => (await part.boundingBox())!.height));
    expect(heights[0]! + heights[1]!).toBeLessThanOrEqual(120);
    const method = await unfoldTrust(page);
    await expect(method).toContainText(/×0\.80 in all, not decided.* relative to the typical function, ×0\.99/);
    await expect(method).toContainText('value = weight ÷ seconds of the capture ÷ its size factor');
    await expect(method).not.toContainText('Within this run only');
    await page.keyboard.press('Escape');
    await expect(row(page, 'match_route')).toContainText('▼ shrank');
    await expect(row(page, 'match_route')).toContainText('gone');
    await expect(row(page, 'compress_body')).toContainText('no clear change');
  });
  await test.step('a mover selects its row, and a hidden change says how many runs would show it', async () => {
    await movers.first().click();
    await expect(row(page, 'match_route')).toHaveAttribute('aria-selected', 'true');
    await openPanel(page, 'Details');
    await expect(panel(page)).toContainText('total is gone');
    await row(page, 'compress_body').click();
    await expect(panel(page)).toContainText(
      /(more runs? of [\d.]+ s a side would show a change of 5 %|are hidden by this noise) \(80 % power/,
    );
  });
  await test.step('as measured nothing is decided; both numbers are shown, and recording again is offered', async () => {
    await workbench.chooseRadio('As measured ×0.80');
    await expect(says(page)).toContainText('×0.80 in all: load, machine or code; no change is decided');
    await expect(row(page, 'match_route')).toContainText('not decided: load or machine');
    await expect(table(page).locator('.tone-grew, .tone-shrank')).toHaveCount(0);
    await page.getByRole('button', { name: 'Record again', exact: true }).click();
    await expect(
      page.getByRole('dialog', { name: 'Record' }).getByText('before and after, alternating'),
    ).toBeAttached();
    await page.keyboard.press('Escape');
    await workbench.chooseRadio('Relative');
    await expect(row(page, 'match_route')).toContainText('▼ shrank');
  });
  await test.step('a frame selects its row, a row its heaviest path', async () => {
    const after = page.locator('.compare-graphs').getByRole('tree').last();
    await workbench.clickFrame(after.getByText('handle_request'));
    await expect(row(page, 'handle_request')).toHaveAttribute('aria-selected', 'true');

    await row(page, 'route_lookup').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Zoom to its heaviest path' }).click();
    const zoomed = page.getByRole('navigation', { name: 'Zoomed into' }).locator('[aria-current]');
    await expect(zoomed).toHaveText(['route_lookup', 'route_lookup']);
  });
  await test.step('chips and the filter narrow the table', async () => {
    await says(page)
      .getByRole('button', { name: /shrank$/ })
      .click();
    await expect(show(page)).toHaveValue('shrank');
    await show(page).selectOption('removed');
    await expect.poll(() => names(page)).toContain('match_route');
    await expect.poll(() => names(page)).not.toContain('compress_body');
    await page.getByRole('textbox', { name: 'Filter functions' }).fill('^match_');
    await expect.poll(() => names(page)).toEqual(['match_route']);
  });
  await test.step('the CSV states what it contains', async () => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const csv = readFileSync(await (await download).path(), 'utf8');
    expect(csv).toContain('# normalised: per-second; value = weight ÷ seconds of the capture');
    expect(csv).toContain("# method: Welch's t over captures (5 before, 5 after)");
    expect(csv).toMatch(/# rows: 1 of \d+ functions \(names match \/\^match_\/, removed by total\)/);
    expect(csv).toMatch(/\nmatch_route,[^\n]*,only-before,.*,shrank,/);
  });
});

test('ten captures: a self-test of two equal halves, and other normalisations', async ({ workbench, page }) => {
  await compareSamples(workbench);
  await test.step('the self-test splits them, and is available as a command', async () => {
    await workbench.runCommand('Self-test: false alarms and power of these captures');
    await expect(panel(page)).toContainText('10 captures in two halves of 5, split in 100 of 126 ways.', {
      timeout: 30_000,
    });
    await expect(panel(page)).toContainText(/\d+ of 100 splits call a function grew or shrank/);
    const power = panel(page).getByRole('list', { name: 'Power' });
    await expect(power.getByRole('button').first()).toHaveText('longest_match [page-server]');
    await power.getByRole('button').first().click();
    await panel(page).getByText('Selected', { exact: true }).click();
    await expect(power.getByRole('listitem')).toHaveCount(1);
    await panel(page).getByRole('combobox', { name: 'slowdown' }).selectOption('+50 %');
    await expect(panel(page)).toContainText('How often +50 % of one function is reported as grew:');
  });
  await test.step('normalisation: refusals say why, and request counts make it per request', async () => {
    const normalise = page.getByRole('button', { name: /^normalise/ });
    await normalise.click();
    const choices = page.getByRole('dialog', { name: 'Normalisation' });
    await expect(choices.getByRole('radio', { name: 'per request' })).toBeDisabled();
    await expect(choices).toContainText('its number of requests is unknown');
    await expect(choices).toContainText('CPU time per CPU second is always 1');
    await choices.getByRole('radio', { name: 'share' }).check();
    await expect(says(page)).toContainText('Shares: a change in one function moves all others.');
    await expect(row(page, 'compress_body')).toContainText('pp');
    await choices.getByRole('button', { name: 'Automatic, from the captures' }).click();
    await expect(says(page)).not.toContainText('Shares: a change');
    await choices.getByRole('button', { name: 'Enter requests served' }).click();

    const each = (side: string): Locator =>
      panel(page).getByRole('textbox', { name: `Requests of each capture ${side}` });
    await each('before').fill('many');
    await expect(panel(page).getByRole('alert')).toHaveText('a number above 0');
    await each('before').fill('1,000');
    await each('before').press('Enter');
    await each('after').fill('2000');
    await each('after').press('Enter');
    await expect(normalise).toContainText('per request');
    await expect(await unfoldTrust(page)).toContainText('value = weight ÷ requests served during the capture');
    await page.keyboard.press('Escape');
    await expect(page.locator('.table-footer')).toContainText('per request');
  });
});

test('one capture per side: matching, verdicts, threads, environment', async ({ workbench, page }) => {
  await test.step('matching: rules are switched, added, tried and refused; unmatched functions are listed', async () => {
    await compareTexts(
      workbench,
      ['old-names.folded', 'new-names.folded'],
      'main;parse_v1 500\nmain;read+0x1c 300\nmain;old 90',
      'main;parse_v2 400\nmain;read+0x2f 310\nmain;new 80',
    );
    await expect(row(page, 'read')).toBeVisible();
    await openPanel(page, 'Matching');
    const only = (side: string): Locator =>
      panel(page)
        .getByRole('region', { name: `Only ${side}` })
        .getByRole('button')
        .filter({ hasNotText: 'more' });
    await expect(only('before')).toHaveText([/^parse_v1/, /^old/]);
    await expect(only('after')).toHaveText([/^parse_v2/, /^new/]);
    const addresses = panel(page)
      .getByRole('listitem')
      .filter({ has: page.getByLabel('Addresses', { exact: true }) });
    await addresses.getByText('merged into 1 function').click();
    await expect(addresses).toContainText('read+0x1c');
    await panel(page).getByLabel('Addresses', { exact: true }).uncheck();
    await expect(row(page, 'read+0x1c')).toBeVisible();
    await expect(only('before')).toHaveCount(3);

    const pattern = panel(page).getByRole('textbox', { name: 'Pattern' });
    const add = panel(page).getByRole('button', { name: 'Add rule' });
    await pattern.fill('(');
    await expect(panel(page).locator('.rule-preview .refusal')).toBeVisible();
    await expect(add).toBeDisabled();
    await pattern.fill(String.raw`_v\d$`);
    await expect(panel(page).locator('.rule-preview')).toContainText('Changes 2 names; 2 of them merge with another.');
    await add.click();
    await expect(row(page, 'parse')).toBeVisible();
    await expect(only('after')).toHaveText([/^read\+0x2f/, /^new/]);
    await panel(page)
      .getByRole('button', { name: /^Remove the rule/ })
      .click();
    await expect(row(page, 'parse_v1')).toBeVisible();
  });
  await test.step('the best verdict is maybe, with its reason and a remedy', async () => {
    await compareTexts(
      workbench,
      ['one.folded', 'two.folded'],
      'main;parse 5000\nidle 4000',
      'main;parse 9000\nidle 4010',
    );
    await expect(says(page)).toContainText('1 + 1 runs, within this run only');
    await expect(await unfoldTrust(page)).toContainText('the best verdict is maybe (1 run a side)');
    await page.keyboard.press('Escape');
    await expect(row(page, 'parse')).toContainText('▲ maybe (1 run a side)');
    await expect(table(page).locator('.tone-grew, .tone-shrank')).toHaveCount(0);
    await expect(panel(page).getByRole('list', { name: 'Top movers' })).toContainText('parse may have grown by');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await panel(page).getByRole('button', { name: 'Copy as text' }).click();
    const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toMatch(/^parse may have grown by [^\n]*1 run a side\)\.$/m);
    expect(await copied()).toMatch(/\n\nvalue = weight[^\n]*\(within this run only\)$/);
    await show(page).selectOption('changed');
    await expect(page.getByText('Verdicts of grew or shrank need at least 3 captures per side.')).toBeVisible();
    await test.step('the self-test says what is missing', async () => {
      await workbench.runCommand('Self-test: false alarms and power of these captures');
      await expect(panel(page)).toContainText(
        'The self-test needs 6 captures of one host, two halves of 3, but there are 2.',
      );
    });
    await page.getByRole('button', { name: 'Record 2 more runs' }).click();
    await expect(page.getByRole('dialog', { name: 'Record' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
  await test.step('distinguishes threads of one name by their IDs', async () => {
    const sample = (tid: number, second: number): string =>
      `worker 7/${tid} ${second}.000000: 1000000 cpu-clock:\n\t1 job${tid} (/srv)\n\t2 main (/srv)\n`;
    const text = [sample(11, 1), sample(12, 2), sample(12, 3)].join('\n');
    await workbench.openText('a.perf.txt', text);
    const picker = page.getByRole('button', { name: /^thread/ }).first();
    await picker.click();
    await page.getByRole('option', { name: /7\/12/ }).click();
    await expect(picker).toContainText('worker 7/12');
    await workbench.openText('b.perf.txt', text);
    await workbench.runCommand('Compare with a.perf.txt');
    // The control moves when its side's facts arrive.
    await expect(workbench.graph).toHaveCount(2);
    await workbench.drawn();
    await page.getByRole('button', { name: /^Selection before/ }).click();
    await picker.click();
    const list = page.getByRole('listbox', { name: 'Threads before' });
    await expect(list.getByRole('option')).toHaveText(['all 1 names', 'worker× 23', 'worker#122', 'worker#111']);
    await list.getByRole('option', { name: /#12/ }).click();
    await expect(page.getByRole('button', { name: /^Selection before: .*worker #12/ })).toBeVisible();
    await expect(page.getByRole('row').filter({ hasText: 'job11' })).toContainText('new');
  });
  await test.step('shows environment differences as a table', async () => {
    const script = (kernel: string, cpus: number): string =>
      `# hostname : web1\n# os release : ${kernel}\n# nrcpus online : ${cpus}\n# cmdline : /usr/bin/perf record -g -F 99 -p 1\n` +
      ['1.000000', '1.100000', '1.200000']
        .map(
          (time) =>
            `app 1 ${time}: 10101010 cpu-clock:\n\t    4004 work+0x4 (/srv/app)\n\t    4000 main+0x0 (/srv/app)\n`,
        )
        .join('\n');
    await workbench.openText('one.perf.txt', script('6.1.0-18', 8));
    await workbench.openText('two.perf.txt', script('6.5.0-3', 16));
    await workbench.tab('one.perf.txt').click();
    await workbench.runCommand('Compare with two.perf.txt');
    await expect(says(page)).toContainText('2 circumstances differ');
    const circumstances = (await unfoldTrust(page)).getByRole('table', { name: 'Environment differences' });
    await expect(circumstances.getByRole('row')).toHaveText([
      'circumstancebeforeafter',
      'kernel6.1.0-186.5.0-3',
      'CPUs816',
    ]);
  });
});

test('axe finds nothing in the panels', async ({ workbench, page }) => {
  await compareTexts(
    workbench,
    ['one.folded', 'two.folded'],
    'main;parse+0x1 5000\nidle 4000\nold 70',
    'main;parse+0x2 9000\nidle 4010\nnew 80',
  );
  await row(page, 'parse').click();
  for (const name of ['Movers', 'Details', 'Matching', 'Captures']) {
    await openPanel(page, name);
    await expect(panel(page).getByRole('tabpanel')).not.toBeEmpty();
    // The table has its own accessibility test.
    await expectAccessibleThemes(page, {
      within: ['.compare-answer', '.toolbar', '.flame-head', '.side-panel'],
      minor: true,
      state: name,
    });
  }
});
