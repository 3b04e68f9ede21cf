import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright/test';
import { hasCorpus, readCorpus } from '../support/corpus.ts';
import { expect, test } from './workbench.ts';

const FOLDED = 'main;serve;copy 60\nmain;serve;parse 25\nmain;idle 15\n';

/** Drops files on an element, as a file manager does. */
async function dropFiles(page: Page, selector: string, names: readonly string[]): Promise<void> {
  const dropped = names.map((name) => [name, FOLDED] as const);
  await page
    .locator(selector)
    .first()
    .evaluate((target, files) => {
      const dataTransfer = new DataTransfer();
      for (const [name, text] of files) dataTransfer.items.add(new File([text], name));
      for (const kind of ['dragover', 'drop']) {
        target.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer }));
      }
    }, dropped);
}

test('files and captures can be dropped into tabs, files into the library as well', async ({ workbench, page }) => {
  await dropFiles(page, 'main', ['a.folded', 'b.folded', 'c.folded']);
  await expect(workbench.openTabs.getByRole('tab')).toHaveText(['a.folded', 'b.folded', 'c.folded']);
  await dropFiles(page, '.sidebar', ['kept.folded']);
  await expect(workbench.library.getByRole('button', { name: /^kept\.folded/ })).toBeVisible();
  await expect(workbench.openTabs.getByRole('tab')).toHaveCount(3);
  await expect(page.getByText('1 file was added to the library.')).toBeVisible();
  const capture = workbench.library.getByRole('button', { name: /^kept\.folded/ });
  await capture.dragTo(page.locator('.tab-group-body'));
  await expect(workbench.openTabs.getByRole('tab')).toHaveText(['a.folded', 'b.folded', 'c.folded', 'kept.folded']);
  await expect(page.locator('.drop-target')).toHaveCount(0);
});

interface DragData {
  readonly items: readonly { readonly mimeType: string; readonly data: string }[];
  readonly files: readonly string[];
}

/** Drops data in the middle of the window, as another program does. */
async function dropOnMiddle(page: Page, { items = [], files = [] }: Partial<DragData>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: items.map((item) => ({ ...item })), files: [...files], dragOperationsMask: 1 };
  const move = async (type: 'dragEnter' | 'dragOver' | 'drop'): Promise<void> => {
    await session.send('Input.dispatchDragEvent', { type, x: 700, y: 300, data });
  };
  const target = page.locator('.drop-target');
  let dropped = false;
  const told = page
    .evaluate(
      () =>
        new Promise<void>((tell) => {
          document.addEventListener('drop', () => tell(), { capture: true, once: true });
        }),
    )
    .then(() => {
      dropped = true;
    });
  // The browser refuses a drop, without reporting it, until it has the page's answer to the last movement.
  await expect(async () => {
    await move('dragEnter');
    await move('dragOver');
    await expect(target).toBeVisible();
    await move('dragOver');
    await move('drop');
    await expect.poll(() => dropped, { timeout: 3000 }).toBe(true);
  }).toPass();
  await told;
  await expect(target).toBeHidden();
  await session.detach();
}

if (hasCorpus()) {
  test('accepts a dropped bundle of Instruments, which is a folder', async ({ workbench, page, folder }) => {
    const files = unzipSync(readCorpus('instruments/9.3.1-time.trace.zip'));
    for (const [name, bytes] of Object.entries(files)) {
      const file = path.join(folder, name);
      mkdirSync(name.endsWith('/') ? file : path.dirname(file), { recursive: true });
      if (!name.endsWith('/')) writeFileSync(file, bytes);
    }
    await dropOnMiddle(page, { files: [path.join(folder, 'simple-time-profile.trace')] });
    const tabs = workbench.openTabs.getByRole('tab');
    await expect(tabs).toHaveText(['simple-time-profile.trace.zip']);
    await expect(workbench.graph).toBeVisible();
    await workbench.numbersAgree();
    mkdirSync(path.join(folder, 'empty.trace'));
    await dropOnMiddle(page, { files: [path.join(folder, 'empty.trace')] });
    await expect(page.getByText('empty.trace is a folder without files.')).toBeVisible();
    await expect(tabs).toHaveCount(1);
  });
}

test('accepts folders and text, and closes a dialog for a drop; links say what to do', async ({
  workbench,
  page,
  folder,
}) => {
  const runs = path.join(folder, 'runs');
  mkdirSync(path.join(runs, 'deeper'), { recursive: true });
  for (const name of ['c.folded', 'a.folded', 'b.folded', '.hidden']) writeFileSync(path.join(runs, name), FOLDED);
  const tabs = workbench.openTabs.getByRole('tab');
  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await expect(settings).toBeVisible();
  await dropOnMiddle(page, { files: [runs] });
  await expect(tabs).toHaveText(['a.folded', 'b.folded', 'c.folded']);
  await expect(settings).toBeHidden();
  await dropOnMiddle(page, { files: [path.join(runs, 'deeper')] });
  await expect(page.getByText('deeper has no files.')).toBeVisible();
  await dropOnMiddle(page, { items: [{ mimeType: 'text/uri-list', data: 'https://example.org/profile' }] });
  await expect(page.getByText('A link is not a profile.')).toBeVisible();
  await dropOnMiddle(page, { items: [{ mimeType: 'text/plain', data: 'main;dropped 7\n' }] });
  await expect(tabs).toHaveText(['a.folded', 'b.folded', 'c.folded', 'dropped.txt']);
  await expect(workbench.frame('dropped').first()).toBeVisible();
});
