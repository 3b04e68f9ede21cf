import { readScript } from '../read-script.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';

/** Ends what a local target started and removes its directories when Flamebench itself is gone, also by kill -9. */
const SCRIPT = readScript(new URL('./watchdog.sh', import.meta.url));

export interface Watchdog {
  /** Watches the process group led by `pid`. */
  watch(pid: number): void;
  ended(pid: number): void;
  /** Removes the directory at the end. Its path holds no blanks. */
  watchDirectory(path: string): void;
  /** Lets the watchdog act on what is left, then end. */
  finish(): void;
}

/** Starts with the first thing to watch. */
export function createWatchdog(): Watchdog {
  let child: ChildProcess | null = null;
  const tell = (line: string): void => {
    child ??= startShell();
    child.stdin?.write(`${line}\n`);
  };
  return {
    watch: (pid) => tell(`group ${pid}`),
    ended: (pid) => tell(`ended ${pid}`),
    watchDirectory: (path) => tell(`directory ${path}`),
    finish() {
      child?.stdin?.end();
      child = null;
    },
  };
}

/** In a session of its own, so that Ctrl-C in a terminal doesn't end it, and without keeping Flamebench alive. */
function startShell(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', SCRIPT], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/' });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  const { stdin } = child;
  if (stdin instanceof Socket) stdin.unref();
  return child;
}
