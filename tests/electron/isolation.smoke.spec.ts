import { expect, test } from 'playwright/test';
import { launchShell } from './launch-shell.ts';
import type { Shell } from './launch-shell.ts';

let shell: Shell;
test.beforeEach(async () => {
  shell = await launchShell();
});
test.afterEach(async () => {
  await shell.close();
});

test('the page has no Node and only the one bridge', async () => {
  const seen = await shell.page.evaluate(() => {
    const bridge: unknown = Reflect.get(window, 'flamebenchShell');
    return {
      require: typeof Reflect.get(window, 'require'),
      process: typeof Reflect.get(window, 'process'),
      module: typeof Reflect.get(window, 'module'),
      bridge: typeof bridge === 'object' && bridge !== null ? Object.keys(bridge) : [],
    };
  });
  expect(seen).toEqual({
    require: 'undefined',
    process: 'undefined',
    module: 'undefined',
    bridge: ['openFiles', 'openDropped', 'onCommand'],
  });
});

test('the window is sandboxed', async () => {
  const preferences = await shell.app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
      getLastWebPreferences(): Record<string, unknown>;
    };
    return contents.getLastWebPreferences();
  });
  expect(preferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
    webSecurity: true,
  });
});

test('the page goes nowhere else; plain https opens in the browser', async () => {
  const { page } = shell;
  const opened = await recordOpened(shell);
  const { origin } = new URL(page.url());
  const elsewhere = ['http://127.0.0.1:1/', 'file:///etc/passwd', 'data:text/html,x', 'https://user:pw@example.org/'];
  for (const url of [...elsewhere, 'https://example.org/docs']) {
    await page.evaluate((target) => {
      setTimeout(() => {
        window.location.href = target;
      });
    }, url);
    await page.waitForTimeout(100);
    expect(new URL(page.url()).origin).toBe(origin);
  }
  await expect(page.locator('body')).toContainText('Flamebench');
  await expect.poll(opened).toEqual(['https://example.org/docs']);
});

test('permissions are denied', async () => {
  const answers = await shell.page.evaluate(async () => [
    await Notification.requestPermission(),
    await new Promise<string>((resolve) => {
      navigator.geolocation.getCurrentPosition(
        () => resolve('granted'),
        () => resolve('denied'),
      );
    }),
  ]);
  expect(answers).toEqual(['denied', 'denied']);
});

test('no window opens', async () => {
  const opened = await recordOpened(shell);
  // Not awaited: under Playwright, Chromium 83 holds a page whose window.open was denied.
  await shell.page.evaluate(() => {
    setTimeout(() => {
      window.open('https://example.org/');
    });
  });
  await expect.poll(opened).toEqual(['https://example.org/']);
  expect(await shell.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

/** Puts a list in the place of the system's browser; returns the way to read it. */
async function recordOpened({ app }: Shell): Promise<() => Promise<string[]>> {
  await app.evaluate(({ shell: desktop }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    desktop.openExternal = (url) => {
      opened.push(url);
      return Promise.resolve();
    };
  });
  return () => app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);
}
