import type { Locator, Page } from 'playwright/test';
import { startEngineProcess } from './engine-process.ts';
import { expect, test } from './workbench.ts';
import type { Workbench } from './workbench.ts';

const BEFORE = 'main;work;inner 300\nmain;work;old 200\nmain;idle 500\n';
const AFTER = 'main;work;inner 600\nmain;work;new_one 300\nmain;idle 500\n';

const graph = (page: Page, side: 'before' | 'after'): Locator =>
  page.locator('.compare-graphs .flame-graph', { has: page.locator(`.side-label.${side}`) });
const frame = (of: Locator, name: string): Locator => of.getByRole('tree').getByText(name);
/** Returns whether an outline of the overlay is drawn. */
const drawn = (of: Locator, outline: 'selected' | 'pointed'): Locator => of.locator(`.flame-overlay .${outline}[d^=M]`);

/** Compares with raw weights: one side has 1,000, the other 1,400. */
async function compareRaw(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  await workbench.openText('after.folded', AFTER);
  await workbench.openText('before.folded', BEFORE);
  await workbench.runCommand('Compare with after.folded');
  await page.getByRole('button', { name: /^normalise/ }).click();
  await page.getByRole('dialog', { name: 'Normalisation' }).getByText('raw', { exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(graph(page, 'before').locator('.flame-total')).toHaveText('1,000 · 100.0 %');
  await expect(graph(page, 'after').locator('.flame-total')).toHaveText('1,400 · 100.0 %');
}

const width = async (label: Locator): Promise<number> => {
  const box = await label.locator('rect').boundingBox();
  return box!.width;
};

test('two graphs on one scale highlight, zoom, go back and move together', async ({ workbench, page }) => {
  await compareRaw(workbench);
  const [before, after] = [graph(page, 'before'), graph(page, 'after')];
  const tooltip = page.locator('.flame-tooltip');
  await test.step('both sides have one scale', async () => {
    await expect(frame(before, 'main')).toBeVisible();
    await expect(frame(after, 'main')).toBeVisible();
    const ratio = async (): Promise<number> =>
      (await width(frame(before, 'main'))) / (await width(frame(after, 'main')));
    await expect.poll(ratio).toBeCloseTo(1000 / 1400, 1);
  });
  await test.step('the ruler says the share of each side; narrow windows put the sides below each other', async () => {
    await expect(before.locator('.flame-axis [data-share*="50.0 %"]')).toHaveText('500');
    const tops = async (): Promise<boolean> => {
      const [one, other] = [await before.boundingBox(), await after.boundingBox()];
      return other!.y >= one!.y + one!.height;
    };
    expect(await tops()).toBe(false);
    await page.setViewportSize({ width: 800, height: 600 });
    await expect.poll(tops).toBe(true);
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect.poll(tops).toBe(false);
  });
  await test.step('a frame that both sides have is outlined in the other graph, with the values of both', async () => {
    await workbench.pointAt(frame(before, 'inner'), drawn(after, 'pointed'));
    await expect(tooltip.getByRole('row', { includeHidden: true, name: /^total/ })).toHaveText(
      'total300600+300+100.0 %',
    );
    await expect(tooltip).toContainText('▲ maybe');
    await expect(tooltip).toContainText(/\+300 ± [\d.]+, 9[\d.]+ % interval/);
    await expect(tooltip).toContainText('maybe (1 run a side)');
  });
  await test.step('a frame that one side lacks is named where it would be', async () => {
    const missing = (of: Locator, text: string): Locator => of.locator('.flame-overlay .missing', { hasText: text });
    await workbench.pointAt(frame(after, 'new_one'), missing(before, 'not in before: new_one'));
    await expect(tooltip).toContainText('only after: not in before');
    await workbench.pointAt(frame(before, 'old'), missing(after, 'not in after: old'));
    await expect(before.locator('.flame-overlay .missing')).toHaveCount(0);
  });
  await test.step('a middle click zooms a new tab', async () => {
    await workbench.clickFrame(frame(before, 'work'), 'middle');
    await expect(workbench.openTabs.getByRole('tab', { name: 'before.folded ↔ after.folded' })).toHaveCount(2);
    await expect(workbench.zoomedInto).toHaveText(['work', 'work']);
    await workbench.runCommand('Close the tab');
    await expect(workbench.zoomedInto).toHaveText(['all', 'all']);
  });
  await test.step('a click zooms both', async () => {
    await workbench.clickFrame(frame(before, 'work'));
    await expect(workbench.zoomedInto).toHaveText(['work', 'work']);
    await expect(before.locator('.flame-total')).toHaveText('500 · 50.0 %');
    await expect(after.locator('.flame-total')).toHaveText('900 · 64.3 %');
    await expect(frame(after, 'main')).toHaveCount(0);
    await expect(drawn(after, 'selected')).toBeAttached();
  });
  await test.step('Back and Forward of the browser walk through the zooms', async () => {
    await page.evaluate(() => history.back());
    await expect(workbench.zoomedInto).toHaveText(['all', 'all']);
    await page.evaluate(() => history.forward());
    await expect(workbench.zoomedInto).toHaveText(['work', 'work']);
  });
  await test.step('Ctrl and the wheel zoom both to the same part, Back and Escape go back', async () => {
    await frame(after, 'inner').hover({ force: true });
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -240);
    await page.keyboard.up('Control');
    await expect(before.locator('.flame-total')).toContainText('in view');
    await expect(after.locator('.flame-total')).toContainText('in view');
    await page.evaluate(() => history.back());
    await expect(before.locator('.flame-total')).toHaveText('500 · 50.0 %');
    await expect(after.locator('.flame-total')).toHaveText('900 · 64.3 %');
    await page.evaluate(() => history.forward());
    await expect(before.locator('.flame-total')).toContainText('in view');
    await expect(after.locator('.flame-total')).toContainText('in view');
    await after.getByRole('tree').focus();
    await page.keyboard.press('Escape');
    await expect(before.locator('.flame-total')).toHaveText('500 · 50.0 %');
    await before.getByRole('tree').focus();
    await page.keyboard.press('Escape');
    await expect(workbench.zoomedInto).toHaveText(['all', 'all']);
  });
  await test.step('the keys of one graph select in both, and announce both sides', async () => {
    await before.getByRole('tree').focus();
    await page.keyboard.press('Home');
    await workbench.clickFrame(frame(before, 'idle'));
    await expect(workbench.zoomedInto).toHaveText(['idle', 'idle']);
    await page.keyboard.press('Home');
    await expect(workbench.zoomedInto).toHaveText(['all', 'all']);
    await expect(frame(before, 'main')).toBeVisible();
    const said = before.getByRole('treeitem', { includeHidden: true });
    await expect(said).toContainText('idle, ');
    await page.keyboard.press('ArrowRight');
    await expect(said).toContainText(
      'work, self 0 before, 0 after, 0, 0.0 %, total 500 before, 900 after, +400, +80.0 %',
    );
    await expect(said).toContainText('may have grown (1 run a side)');
    await expect(drawn(after, 'selected')).toBeAttached();
    await page.keyboard.press('i');
    await expect(page.getByRole('radio', { name: 'Flame', exact: true })).toBeChecked();
  });
  await test.step('details show the selected call path', async () => {
    await workbench.chooseRadio('Details');
    await expect(workbench.details.getByRole('heading', { name: 'This call path' })).toBeVisible();
    await expect(workbench.details.getByRole('row', { name: /^total/ })).toContainText('+400');
    await workbench.details.getByRole('button', { name: 'main', exact: true }).click();
    await expect(workbench.details.getByRole('row', { name: /^total/ })).toContainText('1,400');
  });
  await test.step('a command reopens the comparison with its options and zoom', async () => {
    await workbench.clickFrame(frame(before, 'work'));
    await expect(workbench.zoomedInto).toHaveText(['work', 'work']);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('menuitem', { name: /^Copy command/ }).click();
    await expect(page.getByText('Copied the command that reopens this comparison.')).toBeVisible();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    const [, word] = /^flamebench open --compare before\.folded after\.folded --view ([\w-]+)$/.exec(command)!;
    const { folder } = workbench;
    const files = [`before=${folder}/before.folded`, `after=${folder}/after.folded`, `view=${word}`];
    const again = await startEngineProcess({ library: `${folder}/again`, files });
    try {
      await page.goto(again.url);
      await expect(workbench.zoomedInto).toHaveText(['work', 'work']);
      await expect(before.locator('.flame-total')).toHaveText('500 · 50.0 %');
      // A page reports that its engine has ended.
      await page.goto('about:blank');
    } finally {
      await again.close();
    }
  });
});

test('comparison graphs: the marker of the largest change, one graph of the deltas', async ({ workbench, page }) => {
  await test.step('an edge marker leads to the largest change, which need not be the hottest leaf', async () => {
    const deep = (leaf: string, weight: number): string =>
      `main;${Array.from({ length: 60 }, (_, level) => `level${level}`).join(';')};${leaf} ${weight}\n`;
    const sides = {
      before: `${deep('hot', 500)}${deep('cooler', 100)}a 200\nb 200\n`,
      after: `${deep('hot', 510)}${deep('cooler', 310)}a 90\nb 90\n`,
    };
    await workbench.openText('deep-new.folded', sides.after);
    await workbench.openText('deep-old.folded', sides.before);
    await expect(page.locator('.flame-edge-marker')).toContainText('hot 50.0 %');
    await workbench.runCommand('Compare with deep-new.folded');
    const marker = (side: 'before' | 'after'): Locator => graph(page, side).locator('.flame-edge-marker');
    await expect(marker('before')).toContainText('cooler +21.00 pp');
    await expect(marker('after')).toHaveAttribute(
      'title',
      /^cooler changed the most in one call path: self .* before, /,
    );
    await marker('after').click();
    await expect(marker('after')).toHaveCount(0);
  });
  await test.step('one graph of the deltas: widths, the meaning of colours, search', async () => {
    await compareRaw(workbench);
    await workbench.chooseRadio('Delta graph');
    await expect(workbench.graph).toHaveCount(1);
    const total = page.locator('.flame-total');
    // 500 + the larger of 300 and 600 + 200 + 300.
    await expect(total).toHaveText('1,600 · 100.0 %');
    await expect(workbench.graph.getByText('△ inner +100.0 %')).toBeVisible();
    await expect(workbench.graph.getByText(/new_one · (?:only after|new)$/)).toBeVisible();
    await expect(workbench.graph.getByText(/old · (?:only before|gone)$/)).toBeVisible();
    await expect(workbench.graph.getByText('idle', { exact: true })).toBeVisible();

    const legend = page.getByRole('list', { name: 'Meaning of colours and signs' });
    await legend.getByRole('button', { name: 'only before' }).click();
    await expect(page.locator('.flame-chart .dimmed', { hasText: 'inner' })).toBeAttached();
    await expect(page.locator('.flame-chart .dimmed', { hasText: 'old' })).toHaveCount(0);
    await legend.getByRole('button', { name: 'only before' }).click();
    await expect(page.locator('.flame-chart .dimmed')).toHaveCount(0);

    await page.getByRole('searchbox', { name: 'Search functions by regular expression' }).fill('new_one');
    await expect(page.locator('.flame-chart .dimmed', { hasText: 'inner' })).toBeAttached();
    await expect(page.locator('.flame-chart .dimmed', { hasText: 'new_one' })).toHaveCount(0);

    await workbench.clickFrame(workbench.graph.getByText(/new_one/), 'right');
    await page.getByRole('menuitem', { name: /^Zoom both sides/ }).click();
    await expect(workbench.zoomedInto).toHaveText('new_one');
    const widths = page.getByRole('group', { name: 'Frame widths' });
    await widths.getByText('before', { exact: true }).click();
    await expect(page.locator('.flame-message', { hasText: 'Not in before: new_one' })).toBeVisible();
    await widths.getByText('after', { exact: true }).click();
    await expect(total).toHaveText('300 · 21.4 %');
    await workbench.chooseRadio('Side by side');
    await expect(workbench.graph).toHaveCount(2);
    await expect(page.locator('.flame-message', { hasText: 'Not in before: new_one' })).toBeVisible();
  });
});
