import { readFileSync } from 'node:fs';
import { readReportHtml } from '#core/import/report/read-report.ts';
import { expectAccessibleThemes } from './axe.ts';
import { expect, test } from './workbench.ts';

const STACKS = 'main;/home/carola/parse;read 30\nmain;/home/carola/parse 10\nmain;write 20\n';

test('builds, previews, redacts and saves a report, which opens as a profile', async ({ workbench, page }) => {
  await workbench.openText('before.folded', STACKS);
  await expect(workbench.frame('read').first()).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Report…');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Report' });
  const preview = dialog.getByRole('region', { name: 'Preview' });
  await expect(preview.getByRole('heading', { level: 1 })).toHaveText('before.folded');
  await expect(preview.getByText('/home/user-1/parse').first()).toBeAttached();
  await dialog.getByLabel('Title').fill('Reads are slow');
  await expect(preview.getByRole('heading', { level: 1 })).toHaveText('Reads are slow');
  await dialog.getByLabel('Template').selectOption('Finding');
  await expect(preview.getByRole('heading', { name: 'Other causes' })).toBeVisible();
  await expect(preview.getByText(/^read itself has 50\.0 %/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Other causes', exact: true }).click();
  await dialog.getByLabel('Text, as Markdown').fill('**Not** the disk.');
  await expect(preview.getByText('Not', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Remove Cause', exact: true }).click();
  await expect(preview.getByRole('heading', { name: 'Cause', exact: true })).toHaveCount(0);
  await expectAccessibleThemes(page, { state: 'report builder', without: '.flame-scroller' });
  await dialog.getByRole('list', { name: 'Replacements' }).getByRole('checkbox').first().uncheck();
  await expect(preview.getByText('/home/carola/parse').first()).toBeAttached();
  await dialog.getByRole('button', { name: 'Claims', exact: true }).click();
  await expect(dialog.getByLabel('Text, as Markdown')).toHaveValue(/home\/carola\/parse/);
  await dialog.getByRole('checkbox', { name: 'carola stays' }).click();
  await expect(preview.getByText('/home/user-1/parse').first()).toBeAttached();
  await dialog.getByRole('button', { name: 'Evidence', exact: true }).click();
  await dialog.getByLabel('Search in the graph').fill('read');
  await expect(preview.getByText(/Search: read\.$/)).toBeVisible();
  await dialog.getByLabel('Save as').selectOption('PNG picture');
  await expect(dialog.getByLabel('Size').getByRole('option')).toHaveText(['1 ×', '2 ×', '3 ×', '4 ×']);
  await dialog.getByLabel('Save as').selectOption('HTML page that works offline');
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save report' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('Reads are slow.report.html');
  const html = readFileSync(await download.path(), 'utf8');
  expect(html).not.toContain('carola');
  expect(readReportHtml(html).report.sections.some((section) => section.title === 'Other causes')).toBe(true);
  await workbench.open(workbench.writeFile('saved.report.html', html));
  await expect(page.getByRole('tab', { name: /before\.folded\.flamebench/ })).toBeVisible();
  await expect(workbench.frame('read').first()).toBeVisible();
});

test('reports: Markdown with a picture, several captures, templates', async ({ workbench, page }) => {
  test.setTimeout(180_000);
  await test.step('saves Markdown with its picture beside it', async () => {
    await workbench.openText('before.folded', STACKS);
    await expect(workbench.frame('read').first()).toBeVisible();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Report…');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Report' });
    await dialog.getByLabel('Title').fill('Reads are slow');
    await dialog.getByLabel('Save as').selectOption('md');
    const files = new Map<string, string>();
    page.on('download', async (download) => {
      files.set(download.suggestedFilename(), readFileSync(await download.path(), 'utf8'));
    });
    await dialog.getByRole('button', { name: 'Save report' }).click();
    await expect.poll(() => [...files.keys()].toSorted()).toEqual(['Reads are slow.md', 'Reads are slow.svg']);
    expect(files.get('Reads are slow.md')).toMatch(/!\[.*\]\(Reads%20are%20slow\.svg\)/);
    expect(files.get('Reads are slow.svg')).toMatch(
      /^<\?xml[^]*>Reads are slow<[^]*>\/home\/user-1\/parse<[^]*<\/svg>\s*$/,
    );
  });
  await test.step('starts a report in the library, adds captures and sections, and saves them as a template', async () => {
    for (const name of ['one.folded', 'two.folded']) {
      await workbench.openText(name, STACKS);
      await page.getByRole('button', { name: 'Keep' }).click();
      await expect(workbench.library.getByRole('button', { name: new RegExp(`^${name}`) })).toBeVisible();
    }
    await workbench.clickFrame('write');
    await workbench.library.getByRole('button', { name: /^two\.folded/ }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Report…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Report' });
    const preview = dialog.getByRole('region', { name: 'Preview' });
    await expect(preview.getByText('Zoomed to write').first()).toBeAttached();
    await dialog.getByLabel('Add a capture').selectOption({ label: 'one.folded' });
    await expect(preview.getByRole('heading', { name: 'Flame graph: one.folded' })).toBeVisible();
    await dialog.getByLabel('Add a section').selectOption('Callers and callees');
    await dialog.getByRole('textbox', { name: 'Function', exact: true }).fill('write');
    await expect(preview.getByText('Callers of write.').first()).toBeAttached();
    await dialog.getByRole('button', { name: 'Save as template…' }).click();
    await dialog.getByLabel('Name of the template').fill('Mine');
    await dialog.getByRole('button', { name: 'Save template' }).click();
    await expect(dialog.getByLabel('Template', { exact: true })).toHaveValue('saved Mine');
    await expectAccessibleThemes(page, { state: 'report of several captures', without: '.flame-scroller' });
    await dialog.getByRole('button', { name: 'Remove one.folded' }).click();
    await expect(preview.getByRole('heading', { name: 'Flame graph', exact: true })).toBeVisible();
    await expect(preview.getByRole('heading', { name: /one\.folded/ })).toHaveCount(0);
    await dialog.getByLabel('About').selectOption({ label: 'one.folded' });
    await expect(preview.getByRole('heading', { level: 1 })).toHaveText('one.folded');
    await dialog.getByLabel('Template', { exact: true }).selectOption('Mine');
    await expect(preview.getByText('Callers of write.').first()).toBeAttached();
    await dialog.getByRole('button', { name: 'Delete template' }).click();
    await expect(dialog.getByLabel('Template', { exact: true }).getByRole('option')).toHaveText([
      'Overview',
      'Finding',
    ]);
  });
});
