import { spawn, type IPty } from 'node-pty';

/** Runs Node in its own terminal; `said` resolves once the output matches the pattern. */
export function inTerminal(env: Readonly<Record<string, string | undefined>>, words: readonly string[]) {
  const pty: IPty = spawn(process.execPath, [...words], { cols: 200, env });
  let text = '';
  const waiting = new Set<() => void>();
  pty.onData((chunk) => {
    text += chunk;
    for (const look of waiting) look();
  });
  const ended = new Promise<number>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
  const said = (pattern: RegExp): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!pattern.test(text)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return { pty, ended, said, shown: () => text };
}
