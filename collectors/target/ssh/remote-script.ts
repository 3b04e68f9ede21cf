import { readScript } from '../../read-script.ts';
/** Reads a script as one encoded line, and runs it. */
export const REMOTE_SHELL = 'IFS= read -r s && eval "$(printf %b "$s")"';

/**
 * The command that every channel runs on a host: a constant that dash, bash, zsh, fish, csh and busybox all accept as
 * login shells (no backslash, quote, newline or `!` inside the quotes). It reads the script, and the script reads its
 * arguments, from the channel: no text of the user or of a host is ever part of a command line (ADR 0012).
 */
export const REMOTE_COMMAND = `exec /bin/sh -c '${REMOTE_SHELL}'`;

const encoder = new TextEncoder();

/**
 * Encodes text as one line that `printf %b` decodes, whatever bytes it contains. Throws if it contains a NUL, which no
 * argument can.
 */
export function encodeLine(text: string): string {
  if (text.includes('\0')) throw new RangeError('a NUL can’t be passed');
  let line = '';
  for (const byte of encoder.encode(text)) {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x5c;
    line += isPlain ? String.fromCharCode(byte) : `\\0${byte.toString(8).padStart(3, '0')}`;
  }
  return `${line}\n`;
}

/** Precedes every other script of a channel. */
const PRELUDE = readScript(new URL('./prelude.sh', import.meta.url));

/** Answers queries about files; see batch.sh. */
export const BATCH_SCRIPT = PRELUDE + readScript(new URL('./batch.sh', import.meta.url));

/** Runs one argv in a process group of its own; see run.sh. */
export const RUN_SCRIPT = PRELUDE + readScript(new URL('./run.sh', import.meta.url));
