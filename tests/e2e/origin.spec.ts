import { createServer } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import path from 'node:path';
import type { BrowserContext } from 'playwright/test';
import { startEngineProcess } from './engine-process.ts';
import { expectAccessibleThemes } from './axe.ts';
import { expect, test } from './workbench.ts';

/** Answers every navigation of its origin, and reports each request that it sees, with the full address. */
const WORKER = `
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  event.respondWith(new Response('<title>taken</title>' + event.request.url, { headers: { 'content-type': 'text/html' } }));
});
`;
const PAGE = `<title>old page</title><script>
navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => { document.title = 'registered'; });
</script>`;

async function listen(server: Server, port: number, address: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/**
 * Lets another program serve a page with a service worker on 127.0.0.1, visits it, and ends the program. Returns its
 * port.
 */
async function leaveWorker(context: BrowserContext): Promise<number> {
  const server = createServer((request, response) => {
    const isScript = request.url === '/worker.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? WORKER : PAGE);
  });
  const port = await listen(server, 0, '127.0.0.1');
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${port}/`);
  await expect(page).toHaveTitle('registered');
  await page.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('a service worker that an earlier page left on the port receives nothing of the workbench', async ({
  context,
  folder,
}) => {
  const port = await leaveWorker(context);
  const engine = await startEngineProcess({ library: path.join(folder, 'library'), port });
  try {
    const page = await context.newPage();
    await page.goto(engine.url);
    await expect(page.getByRole('contentinfo', { name: 'Status' })).toContainText('engine ready');
    expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
    // The worker still answers under the address for which it was registered, where the token used to be.
    await page.goto(`http://127.0.0.1:${port}/`);
    await expect(page).toHaveTitle('taken');
  } finally {
    await engine.close();
  }
});

test('no service worker can be registered for the workbench', async ({ workbench, page, expectedErrors }) => {
  expectedErrors.push(/TrustedScriptURL|service-worker|ServiceWorker/i);
  await expect(workbench.status).toContainText('engine ready');
  const problem = await page.evaluate(async () => {
    const script = document.querySelector('script')?.src ?? '';
    return navigator.serviceWorker.register(script).then(
      () => 'registered',
      (error: unknown) => String(error),
    );
  });
  expect(problem).not.toBe('registered');
});

test('another server on [::1] never receives a request of the browser', async ({ page, folder }) => {
  let connections = 0;
  const other = createSocketServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  const taken = await listen(other, 0, '::1');
  try {
    // A given port is refused; a free one is taken on both addresses, so that nobody can bind either of them later.
    await expect(startEngineProcess({ library: path.join(folder, 'library'), port: taken })).rejects.toThrow(
      `Port ${taken} is in use by another program on [::1]`,
    );
    const engine = await startEngineProcess({ library: path.join(folder, 'library') });
    const { port } = new URL(engine.url);
    await expect(listen(createSocketServer(), Number(port), '::1')).rejects.toThrow('EADDRINUSE');
    await page.goto(engine.url);
    await expect(page.getByRole('contentinfo', { name: 'Status' })).toContainText('engine ready');
    await engine.close();
  } finally {
    other.close();
  }
  expect(connections).toBe(0);
});

test('the plain address asks for the code shown in the terminal', async ({ page, folder }) => {
  const engine = await startEngineProcess({ library: path.join(folder, 'library'), words: ['--host', '127.0.0.1'] });
  try {
    const { port } = new URL(engine.url);
    const code = await engine.code();
    await page.goto(`http://127.0.0.1:${port}/#token=${'A'.repeat(43)}`);
    await expect(page.getByRole('heading', { name: 'Enter the code' })).toBeVisible();
    expect(new URL(page.url()).hash).toBe('');
    await expectAccessibleThemes(page, { state: 'the code', without: '.flame-scroller' });
    await page.getByLabel('Code').fill(code === '000000' ? '000001' : '000000');
    await page.getByRole('button', { name: 'Open' }).click();
    await expect(page.getByRole('alert')).toContainText('Wrong code; 2 tries are left');
    await page.getByLabel('Code').fill(code);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('contentinfo', { name: 'Status' })).toContainText('engine ready');
    await page.reload();
    await expect(page.getByRole('contentinfo', { name: 'Status' })).toContainText('engine ready');
  } finally {
    await engine.close();
  }
});
