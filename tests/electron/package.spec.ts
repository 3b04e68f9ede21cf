import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'playwright/test';
import { electronForTests } from '../../scripts/electron-for-tests.ts';
import { packageApp } from '../../scripts/package.ts';
import { root } from '../../scripts/run-command.ts';
import { launchShell } from './launch-shell.ts';

let output: string;
test.beforeAll(() => {
  output = mkdtempSync(path.join(tmpdir(), 'flamebench-package-'));
});
// What Electron 9 is in is never kept.
test.afterAll(() => {
  rmSync(output, { recursive: true, force: true });
});

test('a package that is built starts and opens a capture', async () => {
  test.setTimeout(300_000);
  const electron = electronForTests();
  expect(await packageApp({ targets: ['dir'], output, electron })).toBeNull();

  const app = path.join(output, 'linux-unpacked');
  const resources = path.join(app, 'resources');
  expect(readdirSync(resources)).toEqual(expect.arrayContaining(['app.asar', 'app.asar.unpacked']));
  expect(existsSync(path.join(resources, 'app.asar.unpacked', 'node_modules'))).toBe(false);
  if (electron.old) {
    const built = path.join(root, 'dist', 'renderer-chrome83');
    cpSync(built, path.join(resources, 'app.asar.unpacked', 'dist', 'renderer'), { recursive: true });
  }

  const file = path.join(output, 'packaged.folded');
  writeFileSync(file, 'main;work 3\n');
  const shell = await launchShell({ packaged: path.join(app, 'flamebench'), files: [file] });
  try {
    await expect(shell.page.getByRole('tab', { name: 'packaged.folded' })).toBeVisible();
    expect(await shell.app.evaluate(({ app: started }) => [started.isPackaged, started.getName()])).toEqual([
      true,
      'flamebench',
    ]);
  } finally {
    await shell.close();
  }
});
