import { spawn, type ChildProcess } from 'node:child_process';
import { onTestFinished } from 'vitest';
import type { Library } from '#app/engine/library/library.ts';
import { LAUNCHER } from './run-cli.ts';

/** Starts a command; `says` waits for a text on its stderr, `said` returns all of it so far, `ended` waits for its exit. */
export function startCli(args: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, [LAUNCHER, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  let printed = '';
  const waiting = new Set<() => void>();
  child.stdout!.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    for (const check of waiting) check();
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout: printed, stderr: said }));
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const says = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!said.includes(text)) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  return { child, says, said: () => said, ended };
}

/** Adds a file with this text. */
export const addToLibrary = (library: Library, name: string, text: string) =>
  library.importFile(
    name,
    (async function* () {
      yield await Promise.resolve(new TextEncoder().encode(text));
    })(),
  );
