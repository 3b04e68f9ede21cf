import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { chromium, type Browser, type CDPSession, type Page } from 'playwright';

/** Keep Chromium off the network; its sandbox can't be had as root. */
const CHROMIUM_FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

export async function launchBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
}

/** The process id of the page's renderer: the one whose CPU time grows while the page spins. */
export async function rendererPid(browser: Browser, page: Page): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const before = await rendererSeconds(session);
  await page.evaluate(() => {
    const end = performance.now() + 300;
    while (performance.now() < end);
  });
  const after = await rendererSeconds(session);
  await session.detach();
  const [busiest] = [...after]
    .map(([pid, seconds]) => ({ pid, seconds: seconds - (before.get(pid) ?? 0) }))
    .sort((a, b) => b.seconds - a.seconds);
  if (busiest === undefined) throw new Error('Chromium names no renderer process');
  return busiest.pid;
}

async function rendererSeconds(session: CDPSession): Promise<Map<number, number>> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return new Map(processInfo.filter(({ type }) => type === 'renderer').map(({ id, cpuTime }) => [id, cpuTime]));
}

const MIME = new Map([
  ['.html', 'text/html'],
  ['.js', 'text/javascript'],
  ['.css', 'text/css'],
  ['.wasm', 'application/wasm'],
]);

/** Serves a folder on loopback while something is measured. */
export async function serveFolder(folder: string): Promise<{ origin: string; close: () => void }> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
    const file = join(folder, path === '/' ? 'index.html' : path);
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': MIME.get(extname(file)) ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}
