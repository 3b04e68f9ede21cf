import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'playwright/test';
import { launchShell } from './launch-shell.ts';

test('exports the view to the path chosen in the system’s dialog', async () => {
  const folder = test.info().outputPath();
  const capture = path.join(folder, 'a.folded');
  const exported = path.join(folder, 'seen.folded');
  writeFileSync(capture, 'main;work 60\nmain;idle 40\n');
  const shell = await launchShell({ files: [capture] });
  try {
    const { app, page } = shell;
    await expect(page.getByRole('tab', { name: 'a.folded' })).toBeVisible();
    // Replaces the dialog, which a test cannot answer.
    await app.evaluate(({ BrowserWindow }, file) => {
      BrowserWindow.getAllWindows()[0]?.webContents.session.once('will-download', (_event, item) => {
        item.setSavePath(file);
      });
    }, exported);
    // Content that is not drawn yet cannot be exported.
    await expect(page.getByRole('tree')).toBeVisible();
    await page.keyboard.press('Control+Shift+s');
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
    await expect.poll(() => existsSync(exported)).toBe(true);
    await expect.poll(() => readFileSync(exported, 'utf8')).toContain('\nmain;idle 40\nmain;work 60\n');
  } finally {
    await shell.close();
  }
});
