import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { expect, test } from './workbench.ts';

/** Connects, sends nothing, and reconnects whenever it is dropped. */
function holdIdle(port: number, address: string, sockets: Set<Socket>): void {
  const socket = connect({ port, host: address });
  sockets.add(socket);
  socket.on('error', () => socket.destroy());
  socket.once('close', () => {
    if (sockets.delete(socket)) holdIdle(port, address, sockets);
  });
}

/** Time limit in ms: dropped connections return immediately, so a slow machine takes long to open the window. */
const OPENED = { timeout: 25_000 };

test('opens and works while 1,000 idle connections are held', async ({ page, engine }) => {
  const port = Number(new URL(engine.url).port);
  const sockets = new Set<Socket>();
  try {
    for (let index = 0; index < 1000; index += 1) holdIdle(port, index % 2 === 0 ? '127.0.0.1' : '::1', sockets);
    const start = performance.now();
    await page.goto(engine.url);
    await expect(page.getByRole('contentinfo', { name: 'Status' })).toContainText('engine ready', OPENED);
    const ready = performance.now();
    await page.reload();
    await expect(page.getByRole('contentinfo', { name: 'Status' })).toContainText('engine ready', OPENED);
    const [first, again] = [ready - start, performance.now() - ready].map((ms) => `${Math.round(ms)} ms`);
    test.info().annotations.push({ type: 'measured', description: `opened in ${first}, reloaded in ${again}` });
  } finally {
    const all = [...sockets];
    sockets.clear();
    for (const socket of all) socket.destroy();
  }
});
