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

test('the page has no Node and only one bridge', async () => {
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

test('the page stays at its address; https links open in the browser after the shown address is confirmed', async () => {
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
  await expect.poll(opened).toEqual({
    opened: ['https://example.org/docs'],
    asked: ['Open example.org in your browser?\nhttps://example.org/docs'],
  });
});

test('nothing opens in the browser if the user cancels, and one question is asked at a time', async () => {
  const opened = await recordOpened(shell, 1);
  await shell.page.evaluate(() => {
    setTimeout(() => {
      for (let index = 0; index < 20; index += 1) window.open(`https://example.org/${index}`);
    });
  });
  await expect
    .poll(opened)
    .toEqual({ opened: [], asked: ['Open example.org in your browser?\nhttps://example.org/0'] });
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
  // Not awaited, because with Playwright, Chromium 83 suspends a page whose window.open was denied.
  await shell.page.evaluate(() => {
    setTimeout(() => {
      window.open('https://example.org/');
    });
  });
  await expect.poll(opened).toMatchObject({ opened: ['https://example.org/'] });
  expect(await shell.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

interface Opened {
  readonly opened: string[];
  /** Texts of the questions. */
  readonly asked: string[];
}

/**
 * Replaces the system's browser and the dialog, which is answered with the given button, by recordings; returns the
 * function that reads them.
 */
async function recordOpened({ app }: Shell, button = 0): Promise<() => Promise<Opened>> {
  await app.evaluate(({ shell: desktop, dialog }, response) => {
    const seen: Opened = { opened: [], asked: [] };
    Object.assign(globalThis, { seen });
    desktop.openExternal = (url) => {
      seen.opened.push(url);
      return Promise.resolve();
    };
    dialog.showMessageBox = (...given: unknown[]) => {
      const { message, detail } = given[given.length - 1] as Electron.MessageBoxOptions;
      seen.asked.push(`${message}\n${detail ?? ''}`);
      return new Promise((resolve) => {
        setTimeout(resolve, 500, { response, checkboxChecked: false });
      });
    };
  }, button);
  return () => app.evaluate(() => (globalThis as unknown as { seen: Opened }).seen);
}
