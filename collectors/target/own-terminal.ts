import { readFileSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Whether this process is in the foreground of its terminal: Ctrl-C reaches it, and all of its group. */
export function isInForeground(): boolean {
  const { terminal, group, foreground } = readTerminal();
  return terminal !== '0' && group === foreground;
}

/**
 * Whether this process has a terminal, and one of its streams is it. One that was started with `nohup`, whose ignored SIGHUP Node undoes, has
 * no such stream: the end of the terminal's shell is not its end.
 */
export const usesTerminal = (): boolean => atStart.usesTerminal;

/** As `nohup` leaves it. */
export const isDetached = (): boolean => atStart.hasTerminal && !atStart.usesTerminal;

/** Once a terminal has hung up, nobody has it any more. */
const atStart = readAtStart();

function readAtStart(): { readonly hasTerminal: boolean; readonly usesTerminal: boolean } {
  const hasTerminal = readTerminal().terminal !== '0';
  return { hasTerminal, usesTerminal: hasTerminal && [0, 1, 2].some((descriptor) => isatty(descriptor)) };
}

/** Fields 5, 7 and 8 of proc(5): pgrp, tty_nr and tpgid, as text; a terminal of `0` is none. */
function readTerminal(): { terminal: string; group: string; foreground: string } {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    const [, , group = '', , terminal = '0', foreground = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { terminal, group, foreground };
  } catch {
    return { terminal: '0', group: '', foreground: '' };
  }
}
