import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expectAccessible } from './axe.ts';
import type { Locator } from 'playwright/test';
import { root } from '../../scripts/run-command.ts';
import { FOLDED, perfScript } from './inputs.ts';
import { expect, test } from './workbench.ts';

/** A real recording: perf script, three threads, about six seconds. */
const RECORDING = path.join(root, 'samples/profiles/perf-script/page-server-after-2/raw.perf-script.txt.gz');

const captionOf = (svg: string): string => /class="sub"[^>]*>([^<]*)/.exec(svg)![1]!;
const framesOf = (svg: string): string[] => Array.from(svg.matchAll(/<title>(\S+) /g), ([, name]) => name!);

test('time-ordered samples: gaps, widths, and none without timestamps', async ({ workbench, page }) => {
  await test.step('gaps, an axis, and selection in all panes', async () => {
    await workbench.open(RECORDING);
    await workbench.chooseRadio('In time');
    const graph = page.getByRole('tree', { name: /in order of time/ });
    await expect(graph).toHaveAccessibleName(/^Flame graph: cpu-clock.*, [\d.,]+ s, \d+ levels$/);
    const notes = page.getByRole('list', { name: 'About this graph' });
    await expect(notes).toContainText(/[\d,]+ samples, each as wide as the time until the next/);
    await expect(notes).toContainText('without a sample or a stack');
    await expect(notes).toContainText('3 threads share one row');
    await expect(page.locator('.flame-axis')).toContainText(/\d s/);
    await expectAccessible(page, { within: '.view-graph', minor: true });
    await graph.focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await expect(workbench.zoomedInto).not.toHaveText('all');
    const name = (await workbench.zoomedInto.textContent())!;
    await expect(workbench.details.getByRole('heading', { name }).first()).toBeVisible();
    await expect(page.locator('.flame-axis')).toContainText(/\d\.\d{3} s|\d ms/);
    await page.keyboard.press('Home');
    await expect(workbench.zoomedInto).toHaveText('all');
    await page.evaluate(() => history.back());
    await expect(workbench.zoomedInto).toHaveText(name);
    await page.evaluate(() => history.forward());
    await expect(workbench.zoomedInto).toHaveText('all');
    const total = workbench.graph.locator('xpath=ancestor::section[1]').locator('.flame-total');
    const whole = (await total.textContent())!;
    await page.keyboard.press('+');
    await expect(total).toContainText('in view');
    await page.evaluate(() => history.back());
    await expect(total).toHaveText(whole);
    await expect(workbench.zoomedInto).toHaveText('all');
    await page.evaluate(() => history.forward());
    await expect(total).toContainText('in view');
    await page.evaluate(() => history.back());
    await expect(total).toHaveText(whole);
    const tooltip = page.locator('.flame-tooltip');
    await workbench.pointAt(workbench.graph.locator('.frame:not(.narrow) rect').nth(1), tooltip);
    await expect(tooltip).toContainText(/samples\d/);
    await expect(tooltip).toContainText(/weight\d/);
    // The moment under the pointer is marked in the strip, and the strip's in the graph.
    await expect(page.locator('.time-hair')).toBeVisible();
    await expect(page.locator('.graph-hair i')).toBeVisible();
    const track = page.getByRole('slider', { name: /^Time range/ });
    await track.hover();
    const [marked, over] = [page.locator('.graph-hair i'), page.locator('.time-hair')];
    const share = async (line: Locator, of: Locator): Promise<number> => {
      const [at, box] = [(await line.boundingBox())!, (await of.boundingBox())!];
      return (at.x - box.x) / box.width;
    };
    await expect.poll(() => share(over, track)).toBeCloseTo(0.5, 2);
    await expect.poll(() => share(marked, page.locator('.flame-content'))).toBeCloseTo(0.5, 2);
    await page.mouse.move(1, 1);
    await expect(page.locator('.graph-hair, .time-hair')).toHaveCount(0);
  });
  await test.step('samples as wide as their weight: idle time takes no space, and the place is kept', async () => {
    const notes = page.getByRole('list', { name: 'About this graph' });
    await expect(notes).toContainText('without a sample or a stack');
    await workbench.drawn();
    await workbench.graph.focus();
    // From the frame of the previous step back to the root first.
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await expect(workbench.zoomedInto).not.toHaveText('all');
    const name = (await workbench.zoomedInto.textContent())!;
    await workbench.chooseRadio('by weight');
    await expect(notes).toContainText(/[\d,]+ samples, each as wide as its weight/);
    await expect(notes).not.toContainText('without a stack');
    await expect(workbench.zoomedInto).toHaveText(name);
    await workbench.graph.focus();
    await page.keyboard.press('Home');
    await expect(workbench.zoomedInto).toHaveText('all');
    const saved = page.waitForEvent('download');
    await workbench.runCommand('Save graph as SVG');
    const picture = readFileSync(await (await saved).path(), 'utf8');
    expect(captionOf(picture)).toContain('in time order, each sample as wide as its weight.');
    expect(framesOf(picture).filter((frame) => frame === 'start_thread').length).toBeGreaterThan(1);
    // Its root equals the sum of the tables, in the same unit.
    await workbench.numbersAgree();
    await expectAccessible(page, { within: '.view-graph', minor: true });
    const tooltip = page.locator('.flame-tooltip');
    await workbench.pointAt(workbench.graph.locator('.frame:not(.narrow) rect').nth(1), tooltip);
    await expect(tooltip).toContainText(/samples\d/);
    await expect(tooltip).not.toContainText(/weight\d/);
    // The sample's moment is marked in the strip, and the sample at the strip's moment is marked here.
    await expect(page.locator('.time-hair')).toBeVisible();
    await page.getByRole('slider', { name: /^Time range/ }).hover();
    await expect(page.locator('.graph-hair i')).toBeVisible();
    await page.mouse.move(1, 1);
    await expect(page.locator('.graph-hair, .time-hair')).toHaveCount(0);
    await page.keyboard.press('Control+z');
    await expect(notes).toContainText('each as wide as the time until the next');
    await workbench.runCommand('Sample width: weight');
    await expect(notes).toContainText('each as wide as its weight');
  });
  await test.step('leaves no gap if weights differ from their sum by rounding only', async () => {
    const stacks = ['a', 'b', 'c'].map((name) => ({ name }));
    const sampled = { type: 'sampled', name: 'main', unit: 'milliseconds', startValue: 0, endValue: 0.6 };
    const profile = { ...sampled, samples: [[0], [1], [2]], weights: [0.1, 0.2, 0.3] };
    const file = { $schema: 'https://www.speedscope.app/file-format-schema.json', shared: { frames: stacks } };
    await workbench.openText('a.speedscope.json', JSON.stringify({ ...file, profiles: [profile] }));
    await workbench.chooseRadio('In time');
    // Until then, *by weight* is the previous graph's order of siblings.
    await expect(workbench.graph).toHaveAccessibleName(/in order of time/);
    await workbench.chooseRadio('by weight');
    const notes = page.getByRole('list', { name: 'About this graph' });
    await expect(notes).toContainText('3 samples, each as wide as its weight');
    await expect(notes).not.toContainText('without a stack');
  });
  await test.step('a profile without timestamps says why it has no such graph, and offers the way back', async () => {
    await workbench.openText('a.folded', FOLDED);
    await workbench.chooseRadio('In time');
    await expect(page.getByText('No sample in this profile has a timestamp')).toBeVisible();
    await page.getByRole('button', { name: 'Show the call tree' }).click();
    await expect(page.getByRole('radio', { name: 'Top-down' })).toBeChecked();
    await expect(workbench.frame('work').first()).toBeVisible();
  });
});

test('small profiles: kept zooms, highlighted colours, the order of siblings, and copies', async ({
  workbench,
  page,
}) => {
  await test.step('keeps zooms of graphs other than the call tree through transforms and a new session', async () => {
    await workbench.openText('a.perf.txt', perfScript());
    await page.getByRole('button', { name: 'Keep' }).click();
    await expect(page.getByRole('button', { name: 'Keep' })).toBeHidden();
    await workbench.chooseRadio('In time');
    await expect(workbench.graph).toHaveAccessibleName(/in order of time/);
    await workbench.graph.focus();
    for (const name of ['main', 'serve']) {
      await page.keyboard.press('ArrowDown');
      await expect(workbench.details.getByRole('heading', { name })).toBeVisible();
    }
    await page.keyboard.press('Enter');
    await expect(workbench.zoomedInto).toHaveText('serve');
    await workbench.table.getByRole('row', { name: /^outer/ }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Hide stacks with this function' }).click();
    await expect(page.locator('[data-chip]')).toHaveCount(1);
    await expect(workbench.zoomedInto).toHaveText('serve');

    await workbench.chooseRadio('Sandwich');
    await workbench.table.getByRole('row', { name: /^main/ }).click();
    const callees = page.getByRole('tree', { name: /Callees of main/ });
    await workbench.clickFrame(callees.getByText('serve', { exact: true }));
    const crumbs = page.getByRole('navigation', { name: 'Zoomed into' }).locator('[aria-current]');
    await expect(crumbs).toHaveText(['main', 'serve']);
    await page.getByRole('checkbox', { name: /^Apply / }).uncheck();
    await expect(workbench.table.getByRole('row', { name: /^outer/ })).toBeVisible();
    await expect(crumbs).toHaveText(['main', 'serve']);
    const sessions = path.join(workbench.folder, 'config', 'sessions.json');
    const kept = (): string => (existsSync(sessions) ? readFileSync(sessions, 'utf8') : '');
    await expect.poll(kept).toMatch(/"callees":\s*\{\s*"path":[^\]]*"serve"/);
    await page.reload();
    await expect(crumbs).toHaveText(['main', 'serve']);
    await workbench.chooseRadio('In time');
    await expect(workbench.zoomedInto).toHaveText('serve');
  });
  await test.step('names the highlighted entry if zooming leaves none of it in view', async () => {
    await workbench.openText('legend.folded', 'go.f;go.g 10\nc::h;c::i 15\n');
    const legend = page.getByRole('list', { name: 'Colours' });
    await legend.getByRole('button', { name: /^go / }).click();
    await expect(page.locator('.frame.dimmed').first()).toBeAttached();
    await workbench.clickFrame('c::h');
    await expect(workbench.zoomedInto).toHaveText('c::h');
    await legend.getByRole('button', { name: 'go not in view', pressed: true }).click();
    await expect(page.locator('.frame.dimmed')).toHaveCount(0);
  });
  await test.step('sorts siblings by name or by weight, which undo reverts', async () => {
    await workbench.openText('siblings.folded', 'main;alpha 1\nmain;beta 5\nmain;gamma 3\n');
    const leftToRight = async (): Promise<string[]> => {
      const frames = await Promise.all(
        ['alpha', 'beta', 'gamma'].map(async (name) => ({
          name,
          x: (await workbench.frame(name).first().boundingBox())!.x,
        })),
      );
      return frames.toSorted((a, b) => a.x - b.x).map(({ name }) => name);
    };
    await expect.poll(leftToRight).toEqual(['alpha', 'beta', 'gamma']);
    await workbench.chooseRadio('by weight');
    await expect.poll(leftToRight).toEqual(['beta', 'gamma', 'alpha']);
    await workbench.numbersAgree();
    await expectAccessible(page, { within: '.view-graph', minor: true });
    await page.keyboard.press('Control+z');
    await expect.poll(leftToRight).toEqual(['alpha', 'beta', 'gamma']);
    await workbench.runCommand('Sort frames by weight');
    await expect.poll(leftToRight).toEqual(['beta', 'gamma', 'alpha']);
    await workbench.chooseRadio('Bottom-up');
    await expect(page.getByRole('radio', { name: 'by weight' })).toBeChecked();
    await expect.poll(leftToRight).toEqual(['beta', 'gamma', 'alpha']);
  });
  await test.step('bottom-up labels its shares, and copies as requested', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench.openText('copies.folded', 'main;work;read 30\nmain;write 10\n');
    await workbench.chooseRadio('Bottom-up');
    await workbench.pointAt(workbench.frame('read').first(), page.locator('.flame-tooltip').getByText('of callee'));
    await workbench.graph.focus();
    for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await page.keyboard.press('Shift+C');
    await expect.poll(clipboard).toBe('work');
    await page.keyboard.press('Alt+c');
    await expect.poll(clipboard).toBe('work;read 30');
  });
});

test('a recording: colours, the sandwich, and axes', async ({ workbench, page }) => {
  await workbench.open(RECORDING);
  await test.step('the legend shows the weight of its colours and dims all but one', async () => {
    const legend = page.getByRole('list', { name: 'Colours' });
    const entry = legend.getByRole('button', { name: /^page-server [\d.]+ %$/ });
    await entry.click();
    await expect(entry).toHaveAttribute('aria-pressed', 'true');
    await expect(page.locator('.frame.dimmed').first()).toBeAttached();
    await expect(legend).toContainText('dimmed: everything else');
    await entry.click();
    await expect(page.locator('.frame.dimmed')).toHaveCount(0);
  });
  await test.step('lists, searches and highlights colours that do not fit into the legend', async () => {
    const colour = page.getByRole('combobox', { name: 'colour' });
    const usual = await colour.inputValue();
    await colour.selectOption('function');
    const legend = page.getByRole('list', { name: 'Colours' });
    const more = page.getByRole('button', { name: /^\+ \d+ more$/ });
    await more.press('Enter');
    const all = page.getByRole('dialog', { name: 'All colours' });
    const field = all.getByRole('searchbox');
    await expect(field).toBeFocused();
    // Entries on the line are whole; the button counts the others.
    const whole = await legend.getByRole('listitem').evaluateAll((elements) => {
      const items = elements as HTMLElement[];
      const line = items.filter(({ offsetTop }) => offsetTop === items[0]!.offsetTop);
      const edge = items[0]!.parentElement!.getBoundingClientRect().right;
      return line.map((item) => item.getBoundingClientRect().right <= edge + 0.5);
    });
    expect(whole).not.toContain(false);
    const placeholder = (await field.getAttribute('placeholder'))!;
    const total = Number(/^search (\d+)$/.exec(placeholder)![1]);
    await expect(more).toHaveText(`+ ${total - whole.length} more`);
    const box = (await all.boundingBox())!;
    expect(box.y + box.height).toBeLessThanOrEqual((await more.boundingBox())!.y);
    await expectAccessible(page, { within: '.view-graph', minor: true });
    await page.keyboard.press('End');
    for (let row = 0; row < 13; row++) await page.keyboard.press('ArrowDown');
    const option = all.locator('.option.active');
    const name = (await option.locator('.ellipsis').textContent())!;
    await expect(option).toContainText(/[\d.]+ %$/);
    await option.click();
    await expect(option).toHaveAttribute('aria-selected', 'true');
    await expect(page.locator('.frame.dimmed').first()).toBeAttached();
    await page.keyboard.press('Escape');
    await expect(more).toBeFocused();
    const lit = legend.getByRole('button', { pressed: true });
    await expect(lit).toContainText(name);
    await expect(lit).toBeInViewport({ ratio: 0.9 });
    await more.click();
    await field.fill(name.toUpperCase());
    await page.keyboard.press('Enter');
    await expect(all).toBeHidden();
    await expect(page.locator('.frame.dimmed')).toHaveCount(0);
    await colour.selectOption(usual);
  });
  await test.step('a sandwich: callers above, callees below, centred on the selection', async () => {
    await workbench.chooseRadio('Sandwich');
    await expect(page.getByText('Select a function in the table')).toBeVisible();
    await page.getByRole('textbox', { name: 'Filter functions' }).fill('handle_request');
    await workbench.table.getByRole('gridcell', { name: 'handle_request', exact: true }).click();
    await page.getByRole('textbox', { name: 'Filter functions' }).fill('');
    const callers = page.getByRole('tree', { name: /Callers of handle_request/ });
    const callees = page.getByRole('tree', { name: /Callees of handle_request/ });
    await expect(callers.getByText('serve_requests', { exact: true })).toBeVisible();
    await expect(callees.getByText('compress_body', { exact: true })).toBeVisible();
    const saved = page.waitForEvent('download');
    await workbench.runCommand('Save graph as SVG');
    const picture = readFileSync(await (await saved).path(), 'utf8');
    expect(captionOf(picture)).toMatch(
      /callers above and callees below handle_request: [\d.]+ m?s \([\d.]+ % of all\)/,
    );
    expect(framesOf(picture)).toEqual(expect.arrayContaining(['serve_requests', 'compress_body']));
    const total = async (graph: typeof callers) =>
      /, ([^,]+), \d+ levels/.exec((await graph.getAttribute('aria-label'))!)![1];
    expect(await total(callers)).toBe(await total(callees));
    await expectAccessible(page, { within: '.view-graph', minor: true });
    await workbench.clickFrame(callees.getByText('compress_body', { exact: true }));
    await expect(workbench.details.getByRole('heading', { name: 'compress_body' }).first()).toBeVisible();
    await expect(callees).toBeVisible();
    await callees.focus();
    await page.keyboard.press('Home');
    await expect(callees.getByText('handle_request', { exact: true })).toBeVisible();
    const crumbs = page.getByRole('navigation', { name: 'Zoomed into' }).locator('[aria-current]');
    await page.evaluate(() => history.back());
    await expect(crumbs).toHaveText(['handle_request', 'compress_body']);
    await page.evaluate(() => history.forward());
    await expect(crumbs).toHaveText(['handle_request', 'handle_request']);
    const totals = page.locator('.flame-total');
    await callees.press('+');
    await expect(totals.nth(1)).toContainText('in view');
    await callers.press('+');
    await expect(totals.nth(0)).toContainText('in view');
    await page.evaluate(() => history.back());
    await expect(totals.nth(0)).not.toContainText('in view');
    await expect(totals.nth(1)).toContainText('in view');
    await page.evaluate(() => history.back());
    await expect(totals.nth(1)).not.toContainText('in view');
    await page.evaluate(() => history.forward());
    await expect(totals.nth(1)).toContainText('in view');
    await page.getByRole('button', { name: 'Centre on compress_body' }).click();
    await expect(page.getByRole('tree', { name: /Callers of compress_body/ })).toBeVisible();
    const search = page.getByRole('searchbox', { name: 'Search functions by regular expression' });
    await search.fill('longest_match');
    await expect(page.locator('.frame.dimmed').first()).toBeAttached();
    await search.fill('');
    await workbench.chooseRadio('Top-down');
  });
  await test.step('colours frames by package, module, kind and search, as the legend says', async () => {
    const colour = page.getByRole('combobox', { name: 'colour' });
    const legend = page.getByRole('list', { name: 'Colours' });
    const frame = workbench.graph
      .locator('.frame', { hasText: /^longest_match$/ })
      .first()
      .locator('rect');
    const painted = async (mode: string, said: RegExp): Promise<string | null> => {
      await colour.selectOption(mode);
      await expect(legend).toContainText(said);
      return frame.getAttribute('fill');
    };
    const kind = await painted('kind', /user [\d.]+ %.*kernel [\d.]+ %/);
    const byFunction = await painted('function', /longest_match [\d.]+ %/);
    expect(byFunction).not.toBe(kind);
    await painted('module', /page-server [\d.]+ %/);
    await painted('package', /page-server [\d.]+ %/);
    const without = await painted('search', /no search is active/);
    await page.getByRole('searchbox', { name: 'Search functions by regular expression' }).fill('^longest');
    await expect(legend).toContainText('matches');
    await expect(frame).not.toHaveAttribute('fill', without!);
  });
  await test.step('every graph has an axis in the unit of its widths', async () => {
    const axis = page.locator('.flame-axis');
    for (const graph of ['Top-down', 'Bottom-up']) {
      await workbench.chooseRadio(graph);
      await expect(axis).toHaveText(/^0 s0\.2 s0\.4 s/);
    }
    await workbench.chooseRadio('Flame');
    await expect(axis).toHaveText(/^0 s0\.2 s0\.4 s/);
    await workbench.table.getByRole('gridcell', { name: 'longest_match', exact: true }).click();
    await workbench.chooseRadio('Sandwich');
    await expect(axis).toHaveText([/^0 ms100 ms.*400 ms/, /^0 ms100 ms.*400 ms/]);
  });
});
