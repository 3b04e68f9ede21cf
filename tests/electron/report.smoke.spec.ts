import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'playwright/test';
import { readReportHtml } from '#core/import/report/read-report.ts';
import { launchShell } from './launch-shell.ts';

test('builds a report and saves it, and Markdown with its picture, to the paths chosen in the system’s dialogs', async () => {
  const folder = test.info().outputPath();
  const capture = path.join(folder, 'a.folded');
  const saved = path.join(folder, 'Work outweighs idling.report.html');
  writeFileSync(capture, 'main;work 60\nmain;idle 40\n');
  const shell = await launchShell({ files: [capture] });
  try {
    const { app, page } = shell;
    await expect(page.getByRole('tree')).toBeVisible();
    // Replaces the dialog, which a test cannot answer.
    await app.evaluate(({ BrowserWindow }, chosen) => {
      BrowserWindow.getAllWindows()[0]?.webContents.session.on('will-download', (_event, item) => {
        item.setSavePath(`${chosen}/${item.getFilename()}`);
      });
    }, folder);
    const openBuilder = async (): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search commands' }).fill('Report…');
      await page.keyboard.press('Enter');
    };
    await openBuilder();
    const dialog = page.getByRole('dialog', { name: 'Report' });
    await dialog.getByLabel('Title').fill('Work outweighs idling');
    const preview = dialog.getByRole('region', { name: 'Preview' });
    await expect(preview.getByRole('heading', { level: 1 })).toHaveText('Work outweighs idling');
    await dialog.getByRole('button', { name: 'Save report' }).click();
    await expect.poll(() => existsSync(saved)).toBe(true);
    await expect.poll(() => readFileSync(saved, 'utf8')).toContain('</html>');
    const { report } = readReportHtml(readFileSync(saved, 'utf8'));
    expect(report.title).toBe('Work outweighs idling');
    expect(report.sections.length).toBeGreaterThan(3);

    await openBuilder();
    await dialog.getByLabel('Title').fill('Work outweighs idling');
    await dialog.getByLabel('Save as').selectOption('md');
    await dialog.getByRole('button', { name: 'Save report' }).click();
    const text = path.join(folder, 'Work outweighs idling.md');
    const picture = path.join(folder, 'Work outweighs idling.svg');
    for (const file of [text, picture]) await expect.poll(() => existsSync(file)).toBe(true);
    await expect.poll(() => readFileSync(text, 'utf8')).toContain('Work%20outweighs%20idling.svg');
    await expect.poll(() => readFileSync(picture, 'utf8')).toMatch(/>work<[^]*<\/svg>/);
  } finally {
    await shell.close();
  }
});
