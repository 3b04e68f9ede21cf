import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Page } from 'playwright/test';
import { liveToWord } from '../../app/engine/live/live-word.ts';
import { compilePhases } from '../support/phase-program.ts';
import { allProcesses } from '../support/process-list.ts';
import { buildPprofServer, startPprofServer } from '../support/pprof-server.ts';
import { startEngineProcess } from './engine-process.ts';
import { expectAccessible, expectAccessibleThemes } from './axe.ts';
import { expect, test } from './workbench.ts';
import { processRow } from '../support/process-row.ts';

const SLOW = { timeout: 45_000 };

let folder: string;
let path: string;
let program: ChildProcess;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'live-'));
  path = compilePhases(folder);
  program = spawn(path, [], { stdio: 'ignore' });
});
test.afterEach(() => {
  program.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

async function watch(page: Page): Promise<void> {
  await page.keyboard.press('Alt+Shift+I');
  const dialog = page.getByRole('dialog', { name: 'Watch live' });
  await dialog.getByLabel('Filter processes').fill(String(program.pid));
  await processRow(dialog, program.pid!).click();
  await expect(dialog.getByLabel('Duration')).toHaveValue('');
  await expect(dialog.getByText(/perf record/).first()).toContainText(`-p ${program.pid}`);
  await dialog.getByRole('button', { name: 'Watch live' }).click();
}

/** Returns the texts of an element, frame by frame, until it has had `most` different ones. */
function textsOf(page: Page, selector: string, most: number): Promise<string[]> {
  return page.evaluate(
    async ([selector, most]) => {
      const texts = new Set<string>();
      while (texts.size < most) {
        texts.add(document.querySelector<HTMLElement>(selector)!.innerText.replaceAll(/\s+/g, ' '));
        await new Promise(requestAnimationFrame);
      }
      return [...texts];
    },
    [selector, most] as const,
  );
}

test('the command line’s process is watched at once', async ({ folder: home, page }) => {
  const scope = { kind: 'pid', pid: program.pid!, startTicks: null } as const;
  const options = { collector: 'perf', scope, rateHz: 99, event: null, callGraph: 'fp', seconds: null } as const;
  const word = liveToWord({ target: 'local', options, limits: { maxCpus: null } });
  const asked = await startEngineProcess({ library: `${home}/library`, files: [word] });
  try {
    await page.goto(asked.url);
    await expect(page.getByRole('region', { name: 'Live' })).toContainText(/\d+ samples in \d+ s/, SLOW);
    // A page reports that its engine has ended.
    await page.goto('about:blank');
  } finally {
    await asked.close();
  }
});

test('the graph follows the process, keeps its place, pauses, and is saved', async ({ workbench, page }) => {
  test.setTimeout(180_000);
  await expect(workbench.status).toContainText('engine ready');
  await watch(page);
  const bar = page.getByRole('region', { name: 'Live' });
  await expect(bar).toContainText(/\d+ samples in \d+ s/, SLOW);
  await expect(bar).toContainText(/samples\/s at 99 Hz · 0 lost · collector .* CPU · latency \d/, SLOW);
  const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}\\b`) }).first();
  await expect(row('calm')).toBeVisible(SLOW);
  await test.step('the summary and the weight of selected functions stay until newer ones arrive', async () => {
    await expect(page.getByRole('tabpanel', { name: 'Summary' })).toContainText('Functions by self weight', SLOW);
    expect(await textsOf(page, '.side-panel-body', 3)).not.toContainEqual(expect.stringContaining('Summarising'));
    await row('calm').click();
    await workbench.table.press('Control+a');
    await expect(page.locator('.table-footer')).toContainText(/functions selected.*total/, SLOW);
    const footers = await textsOf(page, '.table-footer', 3);
    expect(footers.filter((text) => !/functions selected self .* total /.test(text))).toEqual([]);
  });
  await test.step('rows of the call tree stay open and selected', async () => {
    await page.getByRole('tab', { name: 'Call tree' }).click();
    const tree = page.getByRole('treegrid');
    await tree.getByRole('row', { name: /^all\b/ }).click();
    await tree.press('*');
    await expect(tree.getByRole('row', { name: /^calm\b/ })).toBeVisible(SLOW);
    await tree.press('Control+a');
    const footer = page.locator('.table-footer');
    await expect(footer).toContainText(/rows selected.*total/, SLOW);
    const footers = await textsOf(page, '.table-footer', 4);
    expect(footers.filter((text) => !/rows selected self .* total /.test(text))).toEqual([]);
    await expect(tree.getByRole('row', { name: /^calm\b/ })).toHaveAttribute('aria-selected', 'true');
    await page.getByRole('tab', { name: 'Functions' }).click();
  });
  // What is selected, searched, zoomed and noted stays through the updates.
  await row('calm').click();
  await workbench.table.press('a');
  await page.getByLabel('Note, in Markdown').fill('Calm first');
  await page.getByLabel('Note, in Markdown').press('Control+Enter');
  const pin = row('calm').getByRole('img', { name: 'Note 1: Calm first' });
  await expect(pin).toBeVisible(SLOW);
  await test.step('hover and a zoom by the wheel stay through the updates', async () => {
    const tip = page.locator('.flame-tooltip');
    await workbench.pointAt(workbench.frame('calm').first(), tip);
    const before = await tip.textContent();
    await expect(tip).not.toHaveText(before!, SLOW);
    await expect(tip).toContainText('calm');
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -60);
    await page.keyboard.up('Control');
    const total = workbench.graph.locator('xpath=ancestor::section[1]').locator('.flame-total');
    await expect(total).toContainText('in view');
    const weight = await total.textContent();
    await expect(total).not.toHaveText(weight!, SLOW);
    await expect(total).toContainText('in view');
    await page.evaluate(() => history.back());
    await expect(total).not.toContainText('in view');
    await page.evaluate(() => history.forward());
    await expect(total).toContainText('in view');
    await workbench.graph.press('Escape');
    await expect(total).not.toContainText('in view');
  });
  await test.step('Escape leads to the frames of earlier updates', async () => {
    const total = workbench.graph.locator('xpath=ancestor::section[1]').locator('.flame-total');
    const caller = '__libc_start_call_main';
    for (const name of [caller, 'calm']) {
      // An update may move the frame away from the click.
      await expect(async () => {
        await workbench.clickFrame(name);
        await expect(workbench.zoomedInto).toHaveText(name, { timeout: 2000 });
      }).toPass(SLOW);
      const weight = await total.textContent();
      await expect(total).not.toHaveText(weight!, SLOW);
    }
    await workbench.graph.press('Escape');
    await expect(workbench.zoomedInto).toHaveText(caller);
    await workbench.graph.press('Escape');
    await expect(workbench.zoomedInto).toHaveText('all');
  });
  const search = page.getByRole('searchbox', { name: /search functions/i }).or(page.getByLabel('Search functions'));
  await search.first().fill('calm');
  await test.step('what changed since the baseline is marked', async () => {
    // A baseline takes at least five whole seconds.
    await expect(bar).toContainText(/samples in (?:[7-9]|10) s/, SLOW);
    await page.keyboard.press('Alt+Shift+B');
    // Two functions do not decide changes per second.
    await bar.getByText('share', { exact: true }).click();
    // Without enough samples it says so, and by how many each function lacks, instead of that nothing changed.
    await expect(bar).toContainText(/not enough samples yet · ⋯ \d+ need more samples/, SLOW);
    await expect(row('calm')).toContainText(/⋯ (?:[\d,]+ more|longer baseline)/, SLOW);
    await expect(page.getByRole('columnheader', { name: 'Δ total' })).toBeVisible();
    const stop = bar.getByRole('button', { name: 'Stop' });
    const place = await stop.boundingBox();
    program.kill('SIGUSR1');
    await expect(row('storm')).toBeVisible(SLOW);
    await expect(bar).toContainText(/[1-9] functions? changed/, SLOW);
    expect(await stop.boundingBox()).toEqual(place);
    // The table does not follow the selected row, which moves down.
    await expect(row('storm')).toContainText('new', SLOW);
    await expect(row('storm')).toContainText('▲ grew', SLOW);
  });
  await test.step('a mark names a moment', async () => {
    await page.getByRole('slider', { name: /^Time range/ }).press('m');
    const marks = page.getByRole('dialog', { name: 'Marks' });
    await marks.getByLabel('Name').fill('load on');
    await marks.getByRole('button', { name: 'Add mark' }).click();
    await expect(page.locator('.time-mark', { hasText: 'load on' })).toBeVisible(SLOW);
    await page.keyboard.press('Escape');
  });
  await test.step('selection, notes and search stay through the updates', async () => {
    await bar.getByText('All', { exact: true }).click();
    await expect(bar.getByRole('radio', { name: 'All' })).toBeChecked();
    await expect(row('calm')).toHaveAttribute('aria-selected', 'true');
    await expect(pin).toBeVisible();
    await expect(workbench.graph.locator('.flame-overlay .pin').first()).toBeVisible(SLOW);
    await expect(search.first()).toHaveValue('calm');
    await expectAccessibleThemes(page, { within: ['.live-bar', '.table-pane'] });
    await expectAccessible(page, { rules: ['heading-order', 'region', 'label-content-name-mismatch'], state: 'live' });
  });
  await test.step('a screen reader gets the state, its controls, the counts, then the graph and the table', async () => {
    await expect(page.locator('.tab-group-body')).toMatchAriaSnapshot({ name: 'live.aria.yml' });
  });
  await test.step('a pause', async () => {
    await page.keyboard.press('Alt+Shift+P');
    await expect(bar).toContainText('Paused');
    await bar.getByRole('button', { name: 'Resume' }).click();
  });
  await test.step('the last 30 seconds are saved with their notes', async () => {
    await bar.getByRole('button', { name: 'Save last 30 s' }).click();
    await expect(page.getByText(/^Saved phases/)).toBeVisible(SLOW);
    await expect(workbench.library.getByRole('button', { name: /^phases/ }).first()).toBeVisible(SLOW);
    await expect(workbench.library.getByText('2 notes', { exact: true }).first()).toBeVisible();
  });
  await test.step('the end, and a successor', async () => {
    program.kill('SIGKILL');
    await expect(bar).toContainText('Ended', SLOW);
    await expect(bar).toContainText(/(?:Process \d+ ended after|phases \(\d+\) has ended)/);
    await expect(workbench.graph).toBeVisible();

    program = spawn(path, [], { stdio: 'ignore' });
    await bar.getByRole('button', { name: `Watch ${program.pid}` }).click(SLOW);
    await expect(
      page
        .getByRole('dialog', { name: 'Watch live' })
        .getByText(/perf record/)
        .first(),
    ).toContainText(`-p ${program.pid}`, SLOW);
  });
});

test('a service’s profiles follow one another; the time between them is counted as gaps', async ({
  workbench,
  page,
}) => {
  test.setTimeout(180_000);
  const built = buildPprofServer();
  const server = await startPprofServer(built.path);
  try {
    await expect(workbench.status).toContainText('engine ready');
    await page.keyboard.press('Alt+Shift+I');
    const dialog = page.getByRole('dialog', { name: 'Watch live' });
    await dialog.getByLabel('Collector', { exact: true }).selectOption('pprof');
    await dialog.getByLabel('Address', { exact: true }).last().fill(server.address);
    await dialog.getByLabel('Length of a window').fill('1');
    await page.keyboard.press('Tab');
    await expect(dialog.locator('pre')).toContainText('/debug/pprof/profile?seconds=1');
    await dialog.getByRole('button', { name: 'Watch live' }).click();
    const bar = page.getByRole('region', { name: 'Live' });
    await expect(bar).toContainText(/\d+ samples in \d+ s/, SLOW);
    await expect(bar).toContainText(/gaps [\d.]+ s/, SLOW);
    // The summary counts samples as the bar does, although a row is many of them.
    await page.keyboard.press('Alt+Shift+P');
    await expect(bar).toContainText('Paused');
    await expect(async () => {
      const [, samples = ''] = /([\d,]+) samples in/.exec((await bar.textContent())!)!;
      await expect(page.getByText(`of cpu in ${samples} samples`)).toBeVisible({ timeout: 1000 });
    }).toPass(SLOW);
  } finally {
    server.end();
    built.remove();
  }
});

test('a recipe is watched from Record: the graph follows, is saved, and nothing keeps tracing', async ({
  workbench,
  page,
}) => {
  test.setTimeout(180_000);
  await expect(workbench.status).toContainText('engine ready');
  await page
    .getByRole('button', { name: /^Record/ })
    .first()
    .click();
  await page.getByLabel('Purpose of the recording').selectOption('a live view');
  const dialog = page.getByRole('dialog', { name: 'Watch live' });
  await dialog.getByLabel('Collector', { exact: true }).selectOption('bpftrace');
  await dialog.getByLabel('Filter processes').fill(String(program.pid));
  await processRow(dialog, program.pid!).click();
  await dialog.getByLabel('Question').selectOption({ label: 'Where is CPU time spent? – On CPU' });
  await expect(dialog.getByText(/bpftrace -B line/).first()).toContainText(`-p ${program.pid}`);
  await dialog.getByRole('button', { name: 'Watch live' }).click();
  const bar = page.getByRole('region', { name: 'Live' });
  // bpftrace compiles first.
  await expect(bar).toContainText(/\d+ samples in \d+ s/, { timeout: 90_000 });
  await expect(workbench.frame('calm').first()).toBeVisible(SLOW);
  program.kill('SIGUSR1');
  await expect(workbench.frame('storm').first()).toBeVisible(SLOW);
  const tracing = (): string[] =>
    allProcesses().flatMap(({ command }) => (command.includes(`-p ${program.pid}`) ? [command] : []));
  expect(tracing()).not.toEqual([]);
  await bar.getByRole('button', { name: 'Stop' }).click();
  await expect(bar).toContainText('Ended', SLOW);
  await expect.poll(tracing, SLOW).toEqual([]);
  await bar.getByRole('button', { name: 'Save all' }).click();
  await expect(workbench.library.getByRole('button', { name: /^On CPU of phases/ }).first()).toBeVisible(SLOW);
});

test.describe('at 1024 × 700', () => {
  test.use({ viewport: { width: 1024, height: 700 } });

  test('a graph with a baseline has 20 rows', async ({ workbench, page }) => {
    test.setTimeout(90_000);
    await expect(workbench.status).toContainText('engine ready');
    await watch(page);
    const bar = page.getByRole('region', { name: 'Live' });
    await expect(bar).toContainText(/\d+ samples in \d+ s/, SLOW);
    await expect(bar).toContainText(/in 10 s/, SLOW);
    await bar.getByLabel('Baseline').selectOption('Pin this moment');
    await expect(bar.locator('.live-baseline')).toBeVisible(SLOW);
    // A dot is hidden with the fact after it.
    await expect(bar.locator('.live-facts .dot-between')).not.toHaveCount(0);
    await expect(bar.locator('.live-facts .facts > span').filter({ hasText: /·\s*$/ })).toHaveCount(0);
    const line = await bar.locator('.live-line').boundingBox();
    const event = await bar.locator('.live-event').boundingBox();
    expect(event!.x + event!.width).toBeLessThanOrEqual(line!.x + line!.width + 0.5);
    const box = await page.locator('.flame-scroller').boundingBox();
    expect(box!.height).toBeGreaterThanOrEqual(20 * 18);
  });
});
