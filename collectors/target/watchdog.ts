import { readScript } from '../read-script.ts';
import { Socket } from 'node:net';
import type { TempFolder } from '../effects/remove.ts';
import { startProgram, type ChildProcess } from '../effects/start-program.ts';

/** Ends everything that a local target started and removes its directories when Flamebench is gone, even by kill -9. */
const SCRIPT = readScript(new URL('./watchdog.sh', import.meta.url));

export interface Watchdog {
  /** Watches a process, or a process group where `pid` is negative. */
  watch(pid: number): void;
  ended(pid: number): void;
  /** Also ends whatever has this `NAME=value` in its environment. */
  watchMark(mark: string): void;
  /** Removes the directory at the end, if it is still this one. Leaves one whose path contains a line end. */
  watchDirectory(directory: TempFolder): void;
  /** Lets the watchdog clean up what is left, then end. */
  finish(): void;
}

/** Starts with the first watched process or directory. */
export function createWatchdog(): Watchdog {
  let child: ChildProcess | null = null;
  const tell = (line: string): void => {
    child ??= startShell();
    child.stdin?.write(`${line}\n`);
  };
  return {
    watch: (pid) => tell(`process ${pid}`),
    ended: (pid) => tell(`ended ${pid}`),
    watchMark: (mark) => tell(`mark ${mark}`),
    watchDirectory({ path, made: { dev, ino } }) {
      if (!path.includes('\n')) tell(`directory ${dev}:${ino} ${path}`);
    },
    finish() {
      child?.stdin?.end();
      child = null;
    },
  };
}

/**
 * Starts the shell in a session of its own, so that Ctrl-C in a terminal does not end it, and without keeping
 * Flamebench alive.
 */
function startShell(): ChildProcess {
  const child = startProgram('/bin/sh', ['-c', SCRIPT], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
  });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  const { stdin } = child;
  if (stdin instanceof Socket) stdin.unref();
  return child;
}
