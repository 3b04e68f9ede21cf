import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright/test';
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

test('files and captures drop where they are wanted: into tabs, files into the library, too', async ({
  workbench,
  page,
}) => {
  await dropFiles(page, 'main', ['a.folded', 'b.folded', 'c.folded']);
  await expect(workbench.openTabs.getByRole('tab')).toHaveText(['a.folded', 'b.folded', 'c.folded']);
  await dropFiles(page, '.sidebar', ['kept.folded']);
  await expect(workbench.library.getByRole('button', { name: /^kept\.folded/ })).toBeVisible();
  await expect(workbench.openTabs.getByRole('tab')).toHaveCount(3);
  await expect(page.getByText('1 file is in the library now.')).toBeVisible();
  const capture = workbench.library.getByRole('button', { name: /^kept\.folded/ });
  await capture.dragTo(page.locator('.tab-group-body'));
  await expect(workbench.openTabs.getByRole('tab')).toHaveText(['a.folded', 'b.folded', 'c.folded', 'kept.folded']);
  await expect(page.locator('.drop-target')).toHaveCount(0);
});

interface DragData {
  readonly items: readonly { readonly mimeType: string; readonly data: string }[];
  readonly files: readonly string[];
}

/** As another program lets it drop on the middle of the window. */
async function dropOnMiddle(page: Page, { items = [], files = [] }: Partial<DragData>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: items.map((item) => ({ ...item })), files: [...files], dragOperationsMask: 1 };
  const move = async (type: 'dragEnter' | 'dragOver' | 'drop'): Promise<void> => {
    await session.send('Input.dispatchDragEvent', { type, x: 700, y: 300, data });
  };
  const target = page.locator('.drop-target');
  // The browser lets nothing drop before the page's answer to the last movement has reached it, and tells nobody.
  await expect(async () => {
    await move('dragEnter');
    await move('dragOver');
    await expect(target).toBeVisible();
    await move('dragOver');
    await move('drop');
    await expect(target).toBeHidden({ timeout: 3000 });
  }).toPass();
  await session.detach();
}

test('folders and text drop, too, and a dialog makes room; links say what to do', async ({
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
  await expect(page.getByText('No files lie in deeper.')).toBeVisible();
  await dropOnMiddle(page, { items: [{ mimeType: 'text/uri-list', data: 'https://example.org/profile' }] });
  await expect(page.getByText('A link is no profile.')).toBeVisible();
  await dropOnMiddle(page, { items: [{ mimeType: 'text/plain', data: 'main;dropped 7\n' }] });
  await expect(tabs).toHaveText(['a.folded', 'b.folded', 'c.folded', 'dropped.txt']);
  await expect(workbench.frame('dropped').first()).toBeVisible();
});
