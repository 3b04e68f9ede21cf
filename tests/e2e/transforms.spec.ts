import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectAccessible } from './axe.ts';
import type { Locator, Page } from 'playwright/test';
import { hasCorpus, readCorpus } from '../support/corpus.ts';
import { runCli } from '../support/run-cli.ts';
import { FOLDED, HOSTILE_NAMES } from './inputs.ts';
import { expect, test } from './workbench.ts';

const chipsOf = (page: Page): Locator => page.getByRole('list', { name: 'Applied to this view' });
const chip = (page: Page, index: number): Locator => chipsOf(page).locator(`[data-chip="${index}"] .chip-text`);

async function openDialog(page: Page, kind: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Transform…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add transform' });
  await dialog.getByText(kind, { exact: true }).click();
  return dialog;
}

async function addByRegex(page: Page, kind: string, pattern: string, more?: string): Promise<void> {
  const dialog = await openDialog(page, kind);
  const regex = dialog.getByText('Regex', { exact: true });
  if ((await regex.count()) > 0) await regex.click();
  await dialog.getByRole('textbox').first().fill(pattern);
  if (more !== undefined) await dialog.getByRole('textbox').nth(1).fill(more);
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(dialog).toBeHidden();
}

async function openTransforms(page: Page, file: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type('open transforms');
  const chooser = page.waitForEvent('filechooser', { timeout: 10_000 });
  // As in `Workbench.open`, after another round trip the browser has registered the file chooser.
  await page.evaluate(() => null);
  await page.keyboard.press('Enter');
  await (await chooser).setFiles(file);
}

interface Top {
  readonly total: number;
  readonly hidden?: number;
  readonly functions: readonly { name: string; self: number; total: number }[];
}

async function top(...args: string[]): Promise<Top> {
  const { stdout, stderr, code } = await runCli(['top', '--json', ...args]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Top;
}

async function exportAs(page: Page, label: string, file: string): Promise<void> {
  await page.keyboard.press('Control+Shift+s');
  const dialog = page.getByRole('dialog', { name: 'Export current view' });
  await dialog.getByLabel(label, { exact: true }).check();
  const coming = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export' }).click();
  await (await coming).saveAs(file);
  // The dialog stays open, with the losses, if the format cannot store everything.
  const says = dialog.getByText('can’t store');
  await expect.poll(async () => (await says.isVisible()) || (await dialog.isHidden())).toBe(true);
  if (await dialog.isVisible()) await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
}

if (hasCorpus()) {
  test('the window, its exports and the command line agree on a real capture', async ({ workbench, page }) => {
    const capture = workbench.writeFile('java.perf.txt', readCorpus('perf-script/perf-java-stacks-01.txt'));
    await workbench.open(capture);
    await expect(workbench.graph).toBeVisible();

    await addByRegex(page, 'Hide', '^tcp_');
    await addByRegex(page, 'Rename by rule', '^Lorg/mozilla/javascript/', 'js:');
    const modules = await openDialog(page, 'Collapse module');
    await expect(modules.locator('.preview')).toContainText('Finds');
    await modules.getByText('Module', { exact: true }).click();
    await modules.getByRole('option').first().click();
    await expect(modules.locator('.preview')).toContainText('Hides nothing');
    await modules.getByRole('button', { name: 'Add' }).click();
    await expect(chipsOf(page).locator('[data-chip]')).toHaveCount(3);
    await expect(chip(page, 0)).toContainText(/−\d+\.\d %/);
    await expect(chip(page, 1)).toContainText(/\d+ fn/);

    const file = (name: string): string => path.join(workbench.folder, name);
    await exportAs(page, 'Flamebench document as JSON', file('seen.json'));
    const { metadata } = JSON.parse(readFileSync(file('seen.json'), 'utf8')) as { metadata: { comments: string[] } };
    const transforms = metadata.comments.flatMap((line) => /^transform \d+ as JSON: (.*)$/.exec(line)?.[1] ?? []);
    expect(transforms).toHaveLength(3);
    writeFileSync(file('rules.json'), `[${transforms.join(',')}]`);

    const asked = await top(capture, '--transforms', file('rules.json'));
    expect(asked.hidden).toBeGreaterThan(0);
    await exportAs(page, 'Flamebench native file', file('seen.flamebench'));
    const native = await top(file('seen.flamebench'));
    expect(native).toMatchObject({ total: asked.total, functions: asked.functions });
    await exportAs(page, 'Folded stacks', file('seen.folded'));
    expect((await top(file('seen.folded'))).total).toBe(asked.total);
    const text = readFileSync(file('seen.folded'), 'utf8');
    expect(text).toMatch(/^# flamebench view of \(java\.perf\.txt, perf-script\)\n# value type: /);
    expect(text).toContain('# transform 1: hide stacks with: /^tcp_/i (');

    // The written file opens in the window and says that it is a view.
    await workbench.open(file('seen.flamebench'));
    await workbench.status.getByRole('button', { name: /diagnostic/ }).click();
    await expect(page.getByRole('tabpanel', { name: 'Data quality' })).toContainText('changed by 3 transforms');
  });
}

test('transforms of small profiles: chips, menus, patterns and hostile names', async ({ workbench, page }) => {
  await test.step('moves, reorders, disables, edits and removes chips by keyboard', async () => {
    await workbench.openText('a.folded', FOLDED);
    await page.getByRole('searchbox', { name: 'Search functions by regular expression' }).fill('^work$');
    await page.keyboard.press('Alt+Shift+a');
    const dialog = page.getByRole('dialog', { name: 'Add transform' });
    await expect(dialog.getByRole('textbox').first()).toHaveValue('^work$');
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(chip(page, 0)).toHaveText(/^focus: \/\^work\$\/i\s*−40\.0 %$/);
    await addByRegex(page, 'Hide', 'work', undefined);
    await expect(chipsOf(page)).toContainText('100 left out');
    await expect(chip(page, 1)).toContainText('−60.0 %');

    await chip(page, 1).focus();
    await page.keyboard.press('Alt+ArrowLeft');
    await expect(chip(page, 0)).toContainText('hide stacks with: /work/i');
    await expect(chip(page, 0)).toBeFocused();
    // The first transform hides everything that the second would match.
    await expect(chip(page, 1)).toContainText('finds nothing');
    await expect(chipsOf(page)).toContainText('100 left out');
    await page.keyboard.press(' ');
    await expect(chip(page, 0)).toContainText('off');
    await expect(chip(page, 1)).toContainText('−40.0 %');
    await expect(workbench.frame('inner').first()).toBeVisible();
    await expect(chipsOf(page)).toContainText('40 left out');
    await page.keyboard.press('ArrowRight');
    await expect(chip(page, 1)).toBeFocused();
    await page.keyboard.press('Enter');
    const edit = page.getByRole('dialog', { name: 'Edit transform' });
    await edit.getByText('Only with', { exact: true }).click();
    await edit.getByRole('button', { name: 'Save' }).click();
    await expect(chip(page, 1)).toContainText('only stacks with: /^work$/i');
    await expect(workbench.frame('main')).toBeVisible();
    await chip(page, 1).focus();
    await page.keyboard.press('Delete');
    await expect(chip(page, 0)).toBeFocused();
    await page.keyboard.press('Delete');
    await expect(chipsOf(page)).toBeHidden();
    await expect(page.getByRole('button', { name: 'Transform…' })).toBeFocused();
    await expect(workbench.status).toContainText('100 samples');
  });
  await test.step('frames and rows offer every kind that applies', async () => {
    await workbench.openText('menus.folded', FOLDED);
    const choose = async (name: string): Promise<void> => {
      // The name ends with the shortcut, if there is one.
      await page.getByRole('menuitem', { name: new RegExp(`^${name}`) }).click();
    };
    await workbench.clickFrame('idle', 'right');
    await choose('Hide this subtree');
    await expect(chip(page, 0)).toHaveText(/^hide subtree: main › idle\s*−40\.0 %$/);
    await workbench.chooseRadio('Bottom-up');
    await workbench.clickFrame('inner', 'right');
    await choose('Focus on this subtree');
    await expect(chip(page, 1)).toContainText('focus subtree: inner');
    await page.getByRole('button', { name: 'More about transforms' }).click();
    await choose('Remove all');
    await expect(chipsOf(page)).toBeHidden();
    await workbench.chooseRadio('Top-down');
    // The same by keyboard on the selected frame: `main`, then `work`, whose inner call is removed.
    await workbench.graph.focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'r']) await page.keyboard.press(key);
    await expect(chip(page, 0)).toContainText('collapse recursion: work');
    await expect(workbench.frame('work')).toHaveCount(1);
    await workbench.clickFrame('work', 'right');
    await choose('Collapse its callees');
    await expect(workbench.frame('inner')).toHaveCount(0);
    await workbench.clickFrame('work', 'right');
    await choose('Rename by rule…');
    const dialog = page.getByRole('dialog', { name: 'Add transform' });
    await expect(dialog.getByRole('textbox').first()).toHaveValue('^work$');
    await dialog.getByRole('textbox').nth(1).fill('toil');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await expect(workbench.frame('toil')).toBeVisible();
  });
  await test.step('refuses an invalid or endless pattern with a reason; reports one that matches nothing', async () => {
    await workbench.openText('patterns.folded', `${FOLDED}${'a'.repeat(40)}! 1\n`);
    const dialog = await openDialog(page, 'Rename by rule');
    const pattern = dialog.getByRole('textbox').first();
    const add = dialog.getByRole('button', { name: 'Add' });
    await expect(add).toBeDisabled();
    await pattern.fill('(');
    await expect(dialog.getByRole('alert')).toContainText('Not a regular expression');
    await expect(pattern).toHaveAttribute('aria-invalid', 'true');
    await expect(add).toBeDisabled();
    await pattern.fill('^(a+)+$');
    await expect(dialog.getByRole('alert')).toContainText('longer than 1 s');
    await expect(add).toBeDisabled();
    await pattern.fill('nowhere');
    await expect(dialog.locator('.preview')).toContainText('Finds nothing here, so it would change nothing.');
    await add.click();
    await expect(chip(page, 0)).toContainText('finds nothing');
  });
  await test.step('shows hostile names as text in chips, lists, menus and exports', async () => {
    const names = HOSTILE_NAMES.slice(0, 3);
    await workbench.openText('x.folded', names.map((name) => `main;${name} 10\n`).join(''));
    for (const [index, name] of names.entries()) {
      const dialog = await openDialog(page, 'Merge');
      await dialog.getByText('Function', { exact: true }).click();
      await dialog.getByRole('combobox').fill(name);
      await dialog.getByRole('option').first().click();
      await expect(dialog.locator('.preview')).toContainText('Finds 1 function');
      await dialog.getByRole('button', { name: 'Add' }).click();
      await expect(chipsOf(page).locator('[data-chip]')).toHaveCount(index + 1);
    }
    await expect(workbench.frame('main')).toBeVisible();
    await expect.poll(() => workbench.functionsInTable()).toEqual(['main']);
    const file = path.join(workbench.folder, 'out.folded');
    await exportAs(page, 'Folded stacks', file);
    expect(
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => !line.startsWith('# ')),
    ).toEqual(['main 30', '']);
  });
});

test('twelve chips in a small window are reachable, accessible, and can be dragged', async ({ workbench, page }) => {
  await page.setViewportSize({ width: 1024, height: 700 });
  const names = Array.from({ length: 12 }, (_, index) => `a_function_of_a_long_name_${index}`);
  await workbench.openText('a.folded', `${names.join(';')} 5\nother 5\n`);
  const transforms = names.map((pattern) => ({
    enabled: true,
    kind: 'merge',
    on: { by: 'pattern', pattern: `${pattern}$`, ignoreCase: false },
  }));
  await openTransforms(page, workbench.writeFile('bad.json', '[{"enabled":true,"kind":"__proto__"}]'));
  await expect(page.getByRole('status', { name: 'Messages' })).toContainText(
    'bad.json is not a list of transforms at 0.kind',
  );
  await page.getByRole('button', { name: 'Close this message' }).click();
  await openTransforms(page, workbench.writeFile('rules.json', JSON.stringify(transforms)));
  await expect(chipsOf(page).locator('[data-chip]')).toHaveCount(12);
  const bar = (await page.locator('.transform-bar').boundingBox())!;
  expect(bar.height).toBeLessThan(125);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1024);
  await chip(page, 11).scrollIntoViewIfNeeded();
  await expect(chip(page, 11)).toBeInViewport();
  await expectAccessible(page, { within: '.transform-bar', minor: true });

  await chip(page, 0).scrollIntoViewIfNeeded();
  const from = (await chip(page, 0).boundingBox())!;
  const to = (await chip(page, 1).boundingBox())!;
  await page.mouse.move(from.x + 20, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width - 10, to.y + 10, { steps: 6 });
  await page.mouse.up();
  await expect(chip(page, 1)).toContainText('name_0');
  await expect(page.getByRole('dialog')).toBeHidden();

  await page.getByRole('button', { name: 'Transform…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add transform' });
  await dialog.getByText('Function', { exact: true }).click();
  await expectAccessible(page, { within: '.transform-dialog', minor: true });
});
