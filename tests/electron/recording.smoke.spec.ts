import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'playwright/test';
import { spawnBusyLoop } from '../support/busy-loop.ts';
import { launchShell, type Shell } from './launch-shell.ts';
import { processRow } from '../support/process-row.ts';

/** Has the shell's message box answer with a button, and counts how often it asks. */
const answerWith = ({ app }: Shell, response: number): Promise<void> =>
  app.evaluate(({ dialog }, button) => {
    const asked = globalThis as { asked?: string[] };
    asked.asked = [];
    dialog.showMessageBox = ((options: { message: string }) => {
      asked.asked?.push(options.message);
      return Promise.resolve({ response: button, checkboxChecked: false });
    }) as never;
  }, response);

const questions = ({ app }: Shell): Promise<string[]> =>
  app.evaluate(() => (globalThis as { asked?: string[] }).asked ?? []);

const closeWindow = ({ app }: Shell): Promise<void> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());

const windowTitle = ({ app }: Shell): Promise<string> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle() ?? '');

/** Returns the states of the recorded captures of the shell's library. */
function recorded({ home }: Shell): unknown[] {
  const library = path.join(home, 'library');
  return readdirSync(library)
    .filter((name) => /^\d{8}-/.test(name))
    .map((name) => JSON.parse(readFileSync(path.join(library, name, 'capture.json'), 'utf8')) as object)
    .filter((document) => 'origin' in document && document.origin === 'recorded')
    .map((document) => ('state' in document ? document.state : null));
}

async function startRecording(shell: Shell, pid: number): Promise<void> {
  const { page } = shell;
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Filter/).fill(String(pid));
  await processRow(dialog, pid).click();
  await dialog.getByLabel('Duration').fill('');
  await dialog.getByRole('button', { name: 'Start recording' }).click();
  await expect(dialog.getByText('samples')).toBeVisible({ timeout: 30_000 });
  await expect.poll(() => windowTitle(shell)).toMatch(/^● Recording – /);
}

for (const [button, choice, left] of [
  [0, 'keeps', ['finished']],
  [1, 'discards', []],
] as const) {
  test(`closing the window while a recording runs asks, and ${choice} it`, async () => {
    const busy = spawnBusyLoop();
    const shell = await launchShell();
    try {
      await startRecording(shell, busy.pid ?? 0);
      await answerWith(shell, 2);
      await closeWindow(shell);
      await expect.poll(() => questions(shell)).toEqual(['A recording is running.']);
      await expect(shell.page.getByRole('dialog')).toBeVisible();
      await answerWith(shell, button);
      const ended = new Promise((resolve) => shell.app.process().once('exit', resolve));
      await closeWindow(shell).catch(() => undefined);
      await ended;
      expect(recorded(shell)).toEqual(left);
    } finally {
      busy.kill('SIGKILL');
      await shell.close();
    }
  });
}
