import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CHROMIUM_FLAGS } from './browser.ts';

type Params = Readonly<Record<string, unknown>>;

/** A browser driven by the DevTools protocol with the browser's own session alone. */
interface RawBrowser {
  /** Resolves with the command's result; rejects if the browser refuses it. */
  send(method: string, params: Params): Promise<Params>;
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

export async function startRawBrowser(
  executable: string,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<RawBrowser> {
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-bench-browser-'));
  const flags = ['--headless', '--remote-debugging-port=0', `--window-size=${width},${height}`];
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
    send(method, params) {
      const id = calls.size + 1;
      const call = Promise.withResolvers<Params>();
      calls.set(id, call);
      socket.send(JSON.stringify({ id, method, params }));
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
