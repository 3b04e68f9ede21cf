import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHROMIUM_FLAGS } from './browser.ts';

/** A browser page without the overhead of a test driver. */
export interface BarePage {
  /** Evaluates an expression and awaits its result. */
  readonly evaluate: (expression: string) => Promise<unknown>;
  /** Clicks in the middle of an element, which is given as an expression. */
  readonly click: (element: string) => Promise<void>;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Runs `act` in a page of a new browser. Playwright makes browsers keep a copy of everything that pages fetch, which
 * would distort these measurements (a fetched file of 9 MB takes 36 MB of memory and about 70 ms); this browser is not
 * instrumented.
 */
export async function inBarePage<T>(
  executablePath: string,
  url: string,
  { width, height }: Size,
  act: (page: BarePage) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-bare-'));
  const place = [`--user-data-dir=${folder}`, '--remote-debugging-port=0', `--window-size=${width},${height}`];
  const flags = ['--headless', '--hide-scrollbars', ...CHROMIUM_FLAGS, ...place, 'about:blank'];
  const browser = spawn(executablePath, flags, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(browser, 'exit');
  try {
    const ask = await connect(await debuggerUrl(browser.stderr));
    const { targetId } = await ask('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await ask('Target.attachToTarget', { targetId, flatten: true });
    const session = String(sessionId);
    const evaluate = async (expression: string): Promise<unknown> => {
      const asked = { expression, awaitPromise: true, returnByValue: true };
      const { result } = (await ask('Runtime.evaluate', asked, session)) as { result: { value?: unknown } };
      return result.value;
    };
    await ask('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false }, session);
    await ask('Page.navigate', { url }, session);
    return await act({
      evaluate,
      async click(element) {
        const box = `(({ left, top, width, height }) => [left + width / 2, top + height / 2])((${element}).getBoundingClientRect())`;
        const [x, y] = (await evaluate(box)) as [number, number];
        for (const type of ['mousePressed', 'mouseReleased']) {
          await ask('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 }, session);
        }
      },
    });
  } finally {
    browser.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Resolves with the URL that Chromium prints when it is listening. */
function debuggerUrl(stderr: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    stderr.on('data', (text: Buffer) => {
      printed += text.toString();
      const [url] = /ws:\S+/.exec(printed) ?? [];
      if (url !== undefined) resolve(url);
    });
    stderr.once('end', () => reject(new Error(`the browser did not start: ${printed.trim()}`)));
  });
}

interface Answer {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

type Ask = (method: string, params: object, sessionId?: string) => Promise<Record<string, unknown>>;

/** Connects to the DevTools protocol: https://chromedevtools.github.io/devtools-protocol/ */
async function connect(url: string): Promise<Ask> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.onmessage = ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  };
  await once(socket, 'open');
  let last = 0;
  return (method, params, sessionId) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, ({ result, error }) => {
        waiting.delete(id);
        if (result === undefined) reject(new Error(`${method}: ${error?.message ?? 'no result'}`));
        else resolve(result);
      });
      socket.send(JSON.stringify({ id, method, params, sessionId }));
    });
}
