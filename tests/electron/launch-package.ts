import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'playwright/test';
import { WebSocket } from 'ws';
import { shellEnvironment, switches } from './launch-shell.ts';

export interface PackagedApp {
  /** Returns the text of its window's page; empty while the page has no document yet. */
  readonly text: () => Promise<string>;
  readonly close: () => Promise<void>;
}

/**
 * Starts a packaged app as its user does. Its fuses prevent Playwright from connecting to Electron's main process
 * (`--inspect`), and Electron has no browser contexts to connect to, so its page is queried over the debugging
 * protocol.
 */
export async function launchPackage(
  executable: string,
  files: readonly string[],
  { old, env = {} }: { readonly old: boolean; readonly env?: Readonly<Record<string, string>> },
): Promise<PackagedApp> {
  const home = mkdtempSync(path.join(tmpdir(), 'flamebench-electron-'));
  const child = spawn(executable, [...switches(home), '--remote-debugging-port=0', ...files], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...shellEnvironment(home, old, true), ...env },
  });
  const isUp = (): boolean => child.exitCode === null && child.signalCode === null;
  const close = async (): Promise<void> => {
    if (isUp()) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    rmSync(home, { recursive: true, force: true });
  };
  try {
    const portFile = path.join(home, 'user', 'DevToolsActivePort');
    await expect.poll(() => isUp() && existsSync(portFile), { timeout: 30_000 }).toBe(true);
    const port = readFileSync(portFile, 'utf8').split('\n')[0] ?? '';
    let socketUrl: string | undefined;
    await expect.poll(async () => (socketUrl = await workbenchSocket(port)), { timeout: 30_000 }).toBeDefined();
    return { text: () => evaluateText(socketUrl ?? ''), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns the debugging address of the page when it has the workbench's address. */
async function workbenchSocket(port: string): Promise<string | undefined> {
  const answer = await fetch(`http://127.0.0.1:${port}/json/list`);
  const targets = (await answer.json()) as { type: string; url: string; webSocketDebuggerUrl?: string }[];
  return targets.find(({ type, url }) => type === 'page' && url.startsWith('http:'))?.webSocketDebuggerUrl;
}

async function evaluateText(socketUrl: string): Promise<string> {
  const socket = new WebSocket(socketUrl);
  try {
    await once(socket, 'open');
    const answered = once(socket, 'message') as Promise<[Buffer]>;
    socket.send(
      JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: 'document.body.innerText' } }),
    );
    const [answer] = await answered;
    const { result } = JSON.parse(answer.toString()) as { result?: { result: { value?: string } } };
    return result?.result.value ?? '';
  } finally {
    socket.close();
  }
}
