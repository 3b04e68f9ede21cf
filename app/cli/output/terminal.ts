import { isatty } from 'node:tty';
import { escapeControls, escapeLines, escapePrompt } from '#core/contract/escape-controls.ts';
import { writeAll } from './write-all.ts';

/**
 * All that the command writes to stdout and stderr passes here (the lint step refuses `process.stdout`, `process.stderr` and `console`
 * elsewhere in app/cli). Text for people is escaped wherever it goes, since a pipe often ends at a terminal: `less`, `head`, `ssh`, a CI log.
 * Profiles and tables for programs ({@link outputBytes}) are escaped only on a terminal: a program on a pipe gets the names' own bytes.
 */
const STDOUT = 1;

const CLEAR_LINE = '\r\u001b[K';

/** Columns of a line that is written over, however narrow the terminal. */
const MIN_COLUMNS = 20;

/** Writes text, with its line ends, to stdout. */
export function print(text: string): void {
  process.stdout.write(escapeLines(text));
}

/** Writes one line to stderr. */
export function say(line: string): void {
  process.stderr.write(`${escapeControls(line)}\n`);
}

/** Writes a line that says who speaks to stderr, for warnings and errors. */
export const warn = (message: string): void => say(`flamebench: ${message}`);

/** Writes lines that a process of ours printed, such as a stack trace, to stderr. */
export function relay(text: string): void {
  process.stderr.write(escapeLines(text));
}

/** Writes over the line that was shown last, cut at the terminal's width; nothing where stderr is not a terminal. */
export function showProgress(line: string): void {
  if (!process.stderr.isTTY) return;
  const width = Math.max(MIN_COLUMNS, widthOf(process.stderr) - 1);
  process.stderr.write(`${CLEAR_LINE}${escapeControls(line).slice(0, width)}`);
}

/** Shows what a host prompts with. */
export function showPrompt(text: string): void {
  process.stderr.write(escapePrompt(text));
}

/** Whether stderr is a terminal, where progress and prompts are shown. */
export const isWatched = (): boolean => process.stderr.isTTY;

/** Whether stdout is a terminal. */
export const isShown = (): boolean => process.stdout.isTTY;

/** Size of the terminal at stderr, in characters. */
export const promptSize = (): { columns: number; rows: number } => ({
  columns: process.stderr.columns,
  rows: process.stderr.rows,
});

/** Columns that output may take: the terminal's, else any. */
export const terminalWidth = (): number => (process.stdout.isTTY ? widthOf(process.stdout) : Infinity);

/** A pseudo-terminal whose size nobody set has 0 columns. */
const widthOf = ({ columns }: { columns: number }): number => (columns > 0 ? columns : Infinity);

/** Calls the listener with what a write to stdout fails with. */
export function onPrintError(listener: (error: Error) => void): void {
  process.stdout.on('error', listener);
}

/** Bytes of a profile or table to stdout. All of a chunk is written when `write` returns, but for a character that continues in the next. */
export interface OutputBytes {
  write(chunk: Uint8Array): void;
  end(): void;
}

/** `isTerminal`: whether the descriptor is one. */
export function outputBytes(
  isTerminal: boolean = isatty(STDOUT),
  write: (chunk: Uint8Array) => void = (chunk) => writeAll(STDOUT, chunk),
): OutputBytes {
  if (!isTerminal) return { write, end: () => undefined };
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const encoder = new TextEncoder();
  return {
    write: (chunk) => write(encoder.encode(escapeLines(decoder.decode(chunk, { stream: true })))),
    end: () => write(encoder.encode(escapeLines(decoder.decode()))),
  };
}
