import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright/test';
import { expect, test } from './workbench.ts';

const PROFILE = 'goroutine profile: total 3\n3 @ 0x1\n#\t0x1\tmain.serveRequests+0x1\t/a.go:1\n';

let server: Server;
let address: string;
let asked: (string | undefined)[];
/** Answers that the test sends when it chooses to. */
let waiting: ServerResponse[];
test.beforeEach(async () => {
  [asked, waiting] = [[], []];
  server = createServer((request, response) => {
    asked.push(request.url);
    if (request.url?.startsWith('/debug/pprof/profile') === true) waiting.push(response);
    else if (request.url === '/debug/pprof/mutex') response.writeHead(404).end('Unknown profile');
    else response.end(PROFILE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
test.afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function recordByPprof(page: Page): Promise<Locator> {
  await page
    .getByRole('button', { name: /^Record/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Record' });
  await dialog.getByLabel('Collector').selectOption('pprof');
  await dialog.getByLabel('Address', { exact: true }).nth(1).fill(address);
  return dialog;
}

test('a service: opens a URL, stops a recording, reports a refusal, and records profiles', async ({
  workbench,
  page,
}) => {
  await test.step('opens a URL after its request was shown', async () => {
    await expect(page.getByText('Record…').first()).toBeVisible();
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('open a url');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Open a URL' });
    await dialog.getByLabel('URL').fill(`http://${address}/`);
    await expect(dialog.getByText(/a service, not a profile/)).toBeVisible();
    await dialog.getByLabel('URL').fill(`http://${address}/files/one.txt`);
    await expect(dialog.locator('pre')).toHaveText(`GET http://${address}/files/one.txt`);
    expect(asked).toEqual([]);
    await dialog.getByRole('button', { name: 'Open', exact: true }).click();
    await expect(workbench.tab(`${address}/files/one.txt`)).toBeVisible({ timeout: 20_000 });
    expect(asked).toEqual(['/files/one.txt']);
  });
  await test.step('recording can be stopped while the server samples, and a refusal says what to do', async () => {
    await workbench.tab(`${address}/files/one.txt`).press('Delete');
    await expect(workbench.openTabs.getByRole('tab')).toHaveCount(0);
    const dialog = await recordByPprof(page);
    await dialog.getByRole('button', { name: 'Start recording' }).click();
    const progress = page.getByRole('dialog', { name: 'Recording' });
    await expect(progress.getByLabel('Messages of the collector')).toHaveValue(/the server samples for 10 s/);
    await progress.getByRole('button', { name: 'Stop and keep' }).click();
    const failed = page.getByRole('dialog', { name: 'Failed' });
    await expect(failed.getByText(/of 10 s: the server sends the profile only at the end/)).toBeVisible();
    await failed.getByRole('button', { name: 'Close' }).last().click();

    const again = await recordByPprof(page);
    await again.getByLabel('CPU', { exact: true }).uncheck();
    await again.getByLabel('mutexes').check();
    await again.getByRole('button', { name: 'Start recording' }).click();
    await expect(page.getByText(/answered 404: Unknown profile/)).toBeVisible({ timeout: 30_000 });
    await failed.getByRole('button', { name: 'Close' }).last().click();
  });
  await test.step('profiles of a service: shows the requests, sends none before, and opens the results', async () => {
    asked = [];
    const dialog = await recordByPprof(page);
    await dialog.getByLabel('CPU', { exact: true }).uncheck();
    await dialog.getByLabel('goroutines', { exact: true }).check();
    await dialog.getByLabel('heap in use').check();
    const requests = dialog.locator('pre');
    await expect(requests).toHaveText(
      `GET http://${address}/debug/pprof/goroutine\nGET http://${address}/debug/pprof/heap`,
    );
    expect(asked).toEqual([]);
    await dialog.getByRole('button', { name: 'Start recording' }).click();
    await expect(workbench.tab(`heap of ${address}`)).toBeVisible({ timeout: 20_000 });
    await expect(workbench.graph).toBeVisible();
    expect(asked).toEqual(['/debug/pprof/goroutine', '/debug/pprof/heap']);
  });
});
