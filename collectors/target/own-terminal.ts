import { readFileSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Returns whether this process is in the foreground of its terminal: Ctrl-C reaches it, and all of its group. */
export function isInForeground(): boolean {
  const { terminal, group, foreground } = readTerminal();
  return terminal !== '0' && group === foreground;
}

/**
 * Returns whether this process has a terminal, and one of its streams is it. With `nohup`, whose ignored SIGHUP Node
 * undoes, no stream is, so the process outlives the terminal's shell.
 */
export const usesTerminal = (): boolean => atStart.usesTerminal;

/** Returns whether this process has a terminal, but none of its streams is it, as with `nohup`. */
export const isDetached = (): boolean => atStart.hasTerminal && !atStart.usesTerminal;

/** Read at the start, because a terminal that has hung up is no longer visible. */
const atStart = readAtStart();

function readAtStart(): { readonly hasTerminal: boolean; readonly usesTerminal: boolean } {
  const hasTerminal = readTerminal().terminal !== '0';
  return { hasTerminal, usesTerminal: hasTerminal && [0, 1, 2].some((descriptor) => isatty(descriptor)) };
}

/** Fields 5, 7 and 8 of proc(5): pgrp, tty_nr and tpgid, as text. Without a terminal, tty_nr is `0`. */
function readTerminal(): { terminal: string; group: string; foreground: string } {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    const [, , group = '', , terminal = '0', foreground = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { terminal, group, foreground };
  } catch {
    return { terminal: '0', group: '', foreground: '' };
  }
}
