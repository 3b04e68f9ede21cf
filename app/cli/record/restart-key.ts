import { runProgramNow } from '#collectors/effects/start-program.ts';
import { isWatched } from '../output/terminal.ts';

export const RESTART_KEY = 'd';
const CTRL_C = '\u0003';

/** Reads keys while a recording runs. */
export interface RestartKey {
  /** Resumes reading after something else has read from the terminal. */
  listen(): void;
  /** Releases the terminal. Idempotent. */
  off(): void;
}

/**
 * Returns whether keys can be read; they cannot in the background, where a process that reads its terminal is stopped.
 */
export function canReadKeys(): boolean {
  if (!process.stdin.isTTY || !isWatched()) return false;
  try {
    const groups = runProgramNow('ps', ['-o', 'pgid=', '-o', 'tpgid=', '-p', String(process.pid)], {
      encoding: 'utf8',
    });
    const [own, foreground] = groups.trim().split(/\s+/);
    return own === foreground;
  } catch {
    return false;
  }
}

/**
 * Reads keys. `isTaken` returns whether a prompt in this terminal should receive them. Ctrl-C acts as the usual signal.
 */
export function readRestartKey(isTaken: () => boolean, onKey: () => void): RestartKey {
  const { stdin } = process;
  const type = (chunk: Buffer | string): void => {
    if (isTaken()) return;
    const keys = chunk.toString();
    if (keys.includes(CTRL_C)) process.kill(process.pid, 'SIGINT');
    else if (keys.toLowerCase().includes(RESTART_KEY)) onKey();
  };
  stdin.on('data', type);
  return {
    listen() {
      if (isTaken()) return;
      stdin.setRawMode(true);
      stdin.resume();
    },
    off() {
      stdin.off('data', type);
      if (isTaken()) return;
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}
