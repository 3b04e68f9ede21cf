import type { Locator } from 'playwright/test';
import { hasCorpus, readCorpus } from '../support/corpus.ts';
import { expect, test } from './workbench.ts';
import type { Workbench } from './workbench.ts';

async function openCorpus(workbench: Workbench, path: string): Promise<void> {
  await workbench.open(workbench.writeFile(path.replace('/', '-'), readCorpus(path)));
  await expect(workbench.graph).toBeVisible();
  await expect(workbench.page.getByRole('gridcell').first()).toBeVisible();
}

async function showCallTree({ page }: Workbench): Promise<Locator> {
  await page.getByRole('tab', { name: 'Call tree', exact: true }).click();
  const tree = page.getByRole('treegrid');
  await tree.press('Home');
  await expect(tree.getByRole('row', { selected: true })).toHaveAttribute('aria-level', '1');
  return tree;
}

if (hasCorpus()) {
  test('the deepest capture: opens, scrolls and zooms completely by keyboard', async ({ workbench, page }) => {
    await openCorpus(workbench, 'perf-data/perf.data.callgraph-3.4');
    await expect(workbench.graph).toHaveAccessibleName(/, 254 levels$/);
    const heightPx = await workbench.graph.evaluate(({ scrollHeight }) => scrollHeight);
    expect(heightPx).toBeGreaterThan(254 * 18);
    const tree = await showCallTree(workbench);
    const chosen = tree.getByRole('row', { selected: true });
    await page.keyboard.press('*');
    await page.keyboard.press('End');
    await expect(chosen).not.toHaveAttribute('aria-level', '1');
    await expect(chosen).toBeInViewport();
    const name = (await chosen.locator('.tree-name').textContent())!;
    await page.keyboard.press('Enter');
    await expect(workbench.zoomedInto).toHaveText(name);
    await workbench.graph.press('Home');
    await expect(workbench.zoomedInto).toHaveText('all');
    await workbench.numbersAgree();
  });

  test('the widest capture with the most threads: its narrowest frame, its last thread', async ({
    workbench,
    page,
  }) => {
    await openCorpus(workbench, 'perf-data/perf.data.forkexit-3.8');
    await expect(workbench.status).toContainText('531 threads');
    // Thousands of siblings are in fillers, which show their number.
    await expect(page.getByRole('list', { name: 'Colours' }).locator('..')).toContainText(
      /too narrow to draw [\d,]+ fr/,
    );
    await showCallTree(workbench);
    await page.keyboard.press('End');
    const last = page.getByRole('treegrid').getByRole('row', { selected: true });
    await expect(last).toHaveAttribute('aria-level', '2');
    const name = (await last.locator('.tree-name').textContent())!;
    await page.keyboard.press('Enter');
    await expect(workbench.zoomedInto).toHaveText(name);
    await workbench.graph.press('Escape');
    await expect(workbench.zoomedInto).toHaveText('all');
    await workbench.numbersAgree();

    await page.getByRole('group', { name: 'How time is drawn' }).getByText('Threads', { exact: true }).click();
    const rows = page.getByRole('listbox', { name: 'Threads over time' });
    await rows.press('End');
    await rows.press('Enter');
    await expect(rows.getByRole('option', { selected: true })).toHaveCount(1);
    await expect(workbench.status).toContainText(/^\d+ of 10,335 samples/);
    await workbench.numbersAgree();
  });

  test('the captures with the most event types: all are selected in turn, and numbers agree', async ({
    workbench,
    page,
  }) => {
    for (const [path, count] of [
      ['callgrind/callgrind.out.cg', 13],
      ['perf-data/perf.data.armv7-3.4', 12],
    ] as const) {
      await openCorpus(workbench, path);
      const types = page.getByLabel('type').first();
      await expect(types.locator('option')).toHaveCount(count);
      const before = await workbench.graph.getAttribute('aria-label');
      for (let index = 1; index < count; index += 1) await types.selectOption({ index });
      await expect(workbench.graph.or(page.getByRole('heading', { name: /Nothing/ })).first()).toBeVisible();
      await expect(workbench.graph).not.toHaveAttribute('aria-label', before!);
      await workbench.numbersAgree();
      await types.selectOption({ index: 0 });
      await expect(workbench.graph).toHaveAttribute('aria-label', before!);
      await workbench.numbersAgree();
    }
  });
}
