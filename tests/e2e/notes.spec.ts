import type { Locator, Page } from 'playwright/test';
import { openScript, strip, typeRange } from './time-pane.ts';
import { expectAccessibleThemes } from './axe.ts';
import { expect, test } from './workbench.ts';

const editor = (page: Page): Locator => page.getByRole('form', { name: /note/i });
const list = (page: Page): Locator => page.getByRole('list', { name: 'Notes', exact: true });
const numbers = (page: Page): Locator => page.locator('.flame-overlay .pin text');

async function write(page: Page, text: string): Promise<void> {
  await editor(page).getByLabel('Note, in Markdown').fill(text);
  await editor(page).getByRole('button', { name: 'Add note' }).click();
  await expect(editor(page)).toBeHidden();
}

/** Markdown of which nothing may run, load or look like a part of the window. */
const HOSTILE = [
  '<img src=x onerror="window.hacked = 1"><script>window.hacked = 1</script>',
  '[click](javascript:window.hacked=1) ![i](http://127.0.0.1:9/x.png) <svg onload=window.hacked=1>',
  '[data](data:text/html,<script>window.hacked=1</script>) \u202egnp.exe',
].join('\n\n');

test('keys add notes to frames, rows, ranges and the whole, which are found again and undone', async ({
  workbench,
  page,
}) => {
  test.slow();
  await openScript(workbench);
  await test.step('a key right after a click is about the clicked frame', async () => {
    await workbench.drawn();
    const box = (await workbench.frame('inner').first().boundingBox())!;
    await workbench.graph.evaluate(
      (graph, point) => {
        const content = graph.querySelector('.flame-content')!;
        content.dispatchEvent(new MouseEvent('click', { bubbles: true, ...point }));
        graph.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', code: 'KeyA', bubbles: true }));
      },
      { clientX: box.x + 5, clientY: box.y + 5 },
    );
    await expect(editor(page)).toContainText('inner, with its 2 callers');
    await editor(page).getByRole('button', { name: 'Cancel' }).click();
    await workbench.graph.press('Home');
    await expect(workbench.zoomedInto).toHaveText('all');
  });
  await test.step('a frame', async () => {
    await workbench.clickFrame('inner');
    await workbench.graph.press('a');
    await expect(editor(page)).toContainText('inner, with its 2 callers');
    await expect(editor(page).getByLabel('Note, in Markdown')).toBeFocused();
    await editor(page)
      .getByText('Red', { exact: true })
      .or(editor(page).getByRole('radio', { name: 'Red' }))
      .first()
      .check();
    await editor(page).getByLabel('Author').fill('Ada');
    await editor(page)
      .getByLabel('Note, in Markdown')
      .fill('# Encoded *twice*\n\n| a | b |\n|--:|---|\n| 1 | 2 |\n\n- [doc](https://example.org/x)');
    await expect(editor(page).getByRole('region', { name: 'Preview' }).getByRole('table')).toBeVisible();
    await expectAccessibleThemes(page, { state: 'note editor', within: '.side-panel', without: '.flame-scroller' });
    await page.keyboard.press('Control+Enter');
    await expect(workbench.graph).toBeFocused();
    await expect(numbers(page)).toHaveText(['1']);
    await expect(list(page)).toContainText('Ada');
    await expect(list(page)).toContainText('doc (https://example.org/x)');
    await expect(list(page).getByRole('link', { name: 'doc' })).toHaveAttribute('rel', 'noopener noreferrer');
  });
  await test.step('a row, with a hostile text', async () => {
    await workbench.table.getByRole('row', { name: /^outer/ }).click();
    await workbench.table.press('a');
    await write(page, HOSTILE);
    await expect(workbench.table.getByRole('row', { name: /^outer/ }).getByRole('img', { name: /^Note 2/ })).toHaveText(
      '2',
    );
    await expect(list(page)).toContainText('<script>window.hacked = 1</script>');
    await expect(list(page).getByRole('link')).toHaveCount(1);
    await expect(list(page).locator('img, script, svg')).toHaveCount(0);
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  });
  await test.step('a range of time and the whole capture', async () => {
    await typeRange(page, '0.5', '1');
    await strip(page).press('a');
    await expect(editor(page)).toContainText('500 ms');
    await write(page, 'GC storm');
    await expect(page.locator('.time-mark')).toHaveText(['GC storm']);
    await strip(page).press('Escape');
    await workbench.runCommand('Add note on the whole capture');
    await write(page, 'Decided on Friday');
    await expect(
      list(page)
        .getByRole('listitem')
        .filter({ has: page.locator('.note-number') }),
    ).toHaveCount(4);
    await expectAccessibleThemes(page, { state: 'notes', without: '.flame-scroller' });
  });
  await test.step('undo and redo include notes', async () => {
    await workbench.graph.press('Control+z');
    await expect(list(page)).not.toContainText('Decided on Friday');
    await workbench.graph.press('Control+Shift+z');
    await expect(list(page)).toContainText('Decided on Friday');
  });
  await test.step('a number opens its note, a note leads to its frame', async () => {
    await page.getByText('Details', { exact: true }).click();
    await workbench.drawn();
    await page.locator('.flame-overlay .pin', { hasText: '1' }).first().click();
    await expect(list(page).locator('[aria-current=true]')).toContainText('Encoded twice');
    await list(page)
      .getByRole('button', { name: /^Go to note 1/ })
      .click();
    await expect(workbench.zoomedInto).toHaveText('inner');
    await page.getByRole('searchbox', { name: 'Search notes' }).fill('ENCODED ada');
    await expect(list(page)).not.toContainText('GC storm');
    await page.getByRole('searchbox', { name: 'Search notes' }).fill('');
  });
  await test.step('notes are kept with the capture, and shown on the next one of the same program', async () => {
    const asksToStay = (): Promise<boolean> =>
      page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
    expect(await asksToStay()).toBe(true);
    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    const row = workbench.library.getByRole('button', { name: /^server\.perf/ });
    await expect(row.first()).toContainText('4 notes');
    expect(await asksToStay()).toBe(false);
    await workbench.openText(
      'server.perf.txt',
      'server 100/101 [000] 10.000000: 10101010 cpu-clock: \n\t55d000000020 outer+0x99 (/opt/app-2/server)\n\n',
    );
    await expect(page.getByText('Add the file to the library to keep its notes.')).toBeHidden();
    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    await expect(list(page)).toContainText('from server.perf.txt');
    await expect(page.getByRole('list', { name: 'Notes that are not in this view' })).toContainText('Encoded twice');
    await list(page)
      .getByRole('button', { name: /^Copy note/ })
      .click();
    await expect(list(page).getByRole('button', { name: /^Edit note/ })).toHaveCount(1);
    await list(page)
      .getByRole('button', { name: /^Edit note/ })
      .click();
    await editor(page).getByLabel('Note, in Markdown').fill('Another build');
    await editor(page).getByRole('button', { name: 'Save note' }).click();
    await list(page).getByRole('button', { name: 'Delete note 1: Another build' }).click();
    await expect(list(page).getByRole('button', { name: /^Edit note/ })).toHaveCount(0);
  });
});

test('a note on a change appears on both graphs of a comparison and in the delta table', async ({
  workbench,
  page,
}) => {
  test.slow();
  await workbench.openRun();
  await workbench.compareRuns();
  const deltas = page.getByRole('grid', { name: /^Functions before and after/ });
  await deltas.getByRole('row', { name: /^match_route/ }).click();
  await deltas.press('a');
  await expect(editor(page)).toContainText('the change of match_route');
  await write(page, 'The route table became a **hash**');
  await expect(deltas.getByRole('row', { name: /^match_route/ }).getByRole('img', { name: /^Note 1/ })).toBeVisible();
  await expect(page.locator('.compare-graphs .pin')).not.toHaveCount(0);
  await expect(page.getByText('Save the comparison as an experiment to keep its notes.')).toBeVisible();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await workbench.runCommand('Copy table as Markdown');
  await expect(page.getByText(/Copied the table as Markdown/)).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^\*\*page-server.*\n\n\| Function \| /);
  expect(copied).toMatch(/\n\| `match_route` \(1\) \| /);
  expect(copied).toContain('\n- (1) The route table became a hash\n');
  await workbench.runCommand('Copy table as PNG');
  await expect(page.getByText('Copied the table as PNG.')).toBeVisible();
  await page.reload();
  await page.getByText('Notes · 1', { exact: true }).click();
  await expect(list(page)).toContainText('The route table became a hash');
  await workbench.runCommand('Save the comparison as an experiment');
  await expect(workbench.library.getByText('1 note', { exact: true })).toBeVisible();
  await page.reload();
  await page.getByText('Notes · 1', { exact: true }).click();
  await expect(list(page)).toContainText('The route table became a hash');
});
