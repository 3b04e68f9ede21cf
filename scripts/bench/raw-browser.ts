import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CHROMIUM_FLAGS } from './browser.ts';

type Params = Readonly<Record<string, unknown>>;

/** A browser driven by the DevTools protocol without the overhead of a test driver. */
interface RawBrowser {
  /** Resolves with the command's result; rejects if the browser refuses it. The session is the browser's own by default. */
  send(method: string, params: Params, sessionId?: string): Promise<Params>;
  /** Resolves when the event arrives next. */
  once(event: string): Promise<void>;
  /** Returns the parameters of all events of this name so far. */
  events(event: string): readonly Params[];
  close(): Promise<void>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: Params;
  readonly error?: { readonly message: string };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export async function startRawBrowser(executable: string, { width, height }: Size): Promise<RawBrowser> {
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-bench-browser-'));
  const flags = ['--headless', '--hide-scrollbars', '--remote-debugging-port=0', `--window-size=${width},${height}`];
  const child = spawn(executable, [...CHROMIUM_FLAGS, ...flags, `--user-data-dir=${folder}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const socket = new WebSocket(await addressOf(child.stderr));
  await once(socket, 'open');
  const calls = new Map<number, PromiseWithResolvers<Params>>();
  const events: Message[] = [];
  const waiting: { readonly event: string; readonly resolve: () => void }[] = [];
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) {
      const call = calls.get(message.id)!;
      if (message.error === undefined) call.resolve(message.result ?? {});
      else call.reject(new Error(message.error.message));
      return;
    }
    events.push(message);
    for (const { event, resolve } of waiting) if (event === message.method) resolve();
  });
  return {
    send(method, params, sessionId) {
      const id = calls.size + 1;
      const call = Promise.withResolvers<Params>();
      calls.set(id, call);
      socket.send(JSON.stringify({ id, method, params, sessionId }));
      return call.promise;
    },
    once: (event) => new Promise((resolve) => waiting.push({ event, resolve })),
    events: (event) => events.filter(({ method }) => method === event).map(({ params }) => params ?? {}),
    async close() {
      socket.close();
      child.kill('SIGKILL');
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Returns the address that Chromium prints when it listens. */
async function addressOf(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const address = /^DevTools listening on (ws:\S+)$/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error('Chromium did not start');
}

/** A page without the overhead of a test driver. */
interface BarePage {
  /** Evaluates an expression and awaits its result. */
  evaluate(expression: string): Promise<unknown>;
  /** Clicks in the middle of an element, which is given as an expression. */
  click(element: string): Promise<void>;
}

/**
 * Runs `act` in a page of a new browser. Playwright makes browsers keep a copy of everything that pages fetch, which
 * would distort these measurements: a fetched file of 9 MB takes 36 MB of memory and about 70 ms.
 */
export async function inBarePage<T>(
  executable: string,
  url: string,
  size: Size,
  act: (page: BarePage) => Promise<T>,
): Promise<T> {
  const browser = await startRawBrowser(executable, size);
  try {
    const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
    const ask = (method: string, params: Params): Promise<Params> => browser.send(method, params, String(sessionId));
    const evaluate = async (expression: string): Promise<unknown> => {
      const { result } = await ask('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
      return (result as { value?: unknown }).value;
    };
    await ask('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: false });
    await ask('Page.navigate', { url });
    return await act({
      evaluate,
      async click(element) {
        const box = `(({ left, top, width, height }) => [left + width / 2, top + height / 2])((${element}).getBoundingClientRect())`;
        const [x, y] = (await evaluate(box)) as [number, number];
        for (const type of ['mousePressed', 'mouseReleased'])
          await ask('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
      },
    });
  } finally {
    await browser.close();
  }
}
