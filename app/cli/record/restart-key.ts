import { execFileSync } from 'node:child_process';
import { isWatched } from '../output/terminal.ts';

export const RESTART_KEY = 'd';
const CTRL_C = '\u0003';

/** Keys that are read while a recording runs. */
export interface RestartKey {
  /** Reads on; to be called again after something else read the terminal. */
  listen(): void;
  /** Gives the terminal back. Idempotent. */
  off(): void;
}

/** Whether a key can be read: not in the background, where a process that reads its terminal is stopped. */
export function canReadKeys(): boolean {
  if (!process.stdin.isTTY || !isWatched()) return false;
  try {
    const groups = execFileSync('ps', ['-o', 'pgid=', '-o', 'tpgid=', '-p', String(process.pid)], { encoding: 'utf8' });
    const [own, foreground] = groups.trim().split(/\s+/);
    return own === foreground;
  } catch {
    return false;
  }
}

/** `isTaken`: a prompt waits in this terminal, which the keys are for. Ctrl-C is the signal that it is elsewhere. */
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
