import { isatty } from 'node:tty';
import { escapeControls, escapeLines, escapePrompt } from '#core/contract/escape-controls.ts';
import { painted, usesColour, type ColourChoice, type Paints } from './colour.ts';
import { writeAll, writeAllLater } from './write-all.ts';

/**
 * All output of the command to stdout and stderr passes through this file; the lint step forbids `process.stdout`,
 * `process.stderr` and `console` elsewhere in app/cli. Text for people is always escaped, because a pipe often ends at
 * a terminal: `less`, `head`, `ssh`, a CI log. Profiles and tables for programs ({@link outputBytes}) are escaped only
 * on a terminal, so that a program on a pipe receives names byte for byte.
 */
const STDOUT = 1;
const STDERR = 2;

const CLEAR_LINE = '\r\u001b[K';
const HOME = '\u001b[H';
const CLEAR_REST = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

/** Minimum width of a progress line in columns, however narrow the terminal. */
const MIN_COLUMNS = 20;

/** How the command speaks; all of its output has one manner. */
interface Manner {
  /** Only results and errors. */
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly colour: ColourChoice;
}

/** What a command writes while {@link catchOutput} holds it. */
interface CaughtOutput {
  printed: string;
  said: string;
}

let caught: CaughtOutput | null = null;

/**
 * Runs work and returns its result and the text that it writes, which does not reach stdout and stderr;
 * {@link outputBytes} are not held. One at a time.
 */
export async function catchOutput<T>(work: () => Promise<T>): Promise<Readonly<CaughtOutput> & { readonly result: T }> {
  const mine: CaughtOutput = { printed: '', said: '' };
  caught = mine;
  try {
    const result = await work();
    return { ...mine, result };
  } finally {
    caught = null;
  }
}

const writeOut = (text: string): unknown => (caught === null ? process.stdout.write(text) : (caught.printed += text));
const writeErr = (text: string): unknown => (caught === null ? process.stderr.write(text) : (caught.said += text));

let manner: Manner = { quiet: false, verbose: false, colour: 'auto' };

/** Sets the manner of the rest of the process, as {@link Manner} describes. */
export function setManner(chosen: Manner): void {
  manner = chosen;
}

export const isVerbose = (): boolean => manner.verbose;
export const isQuiet = (): boolean => manner.quiet;

/** Writes text, with its line ends, to stdout; on a terminal with these colours. */
export function print(text: string, paints: Paints = []): void {
  const shown = escapeLines(text);
  const isPainted = caught === null && paints.length > 0 && usesColour(manner.colour, process.stdout.isTTY);
  writeOut(isPainted ? painted(shown, paints) : shown);
}

/** Returns lines as text to print, without control characters. */
export const asLines = (lines: readonly string[]): string => lines.map((line) => `${escapeControls(line)}\n`).join('');

/** Replaces the content of the terminal at stdout with this text. */
export function repaint(text: string): void {
  process.stdout.write(`${HOME}${escapeLines(text).replaceAll('\n', `${CLEAR_REST}\n`)}${CLEAR_BELOW}`);
}

/** Writes one line to stderr, whatever the manner: errors, and what must be answered. */
export function sayAlways(line: string): void {
  writeErr(`${escapeControls(line)}\n`);
}

/** Writes one line to stderr. */
export function say(line: string): void {
  if (!manner.quiet) sayAlways(line);
}

/** Writes one line to stderr if the user wants to know more. */
export function detail(line: string): void {
  if (manner.verbose) sayAlways(line);
}

/** Writes a line with the program's name to stderr: a warning, and with `fail` an error. */
export const warn = (message: string): void => say(`flamebench: ${message}`);
export const fail = (message: string): void => sayAlways(`flamebench: ${message}`);

/** Writes lines from another process, such as a stack trace, to stderr. */
export function relay(text: string): void {
  writeErr(escapeLines(text));
}

/** Replaces the progress line, cut to the terminal's width; does nothing if stderr is not a terminal. */
export function showProgress(line: string): void {
  if (!process.stderr.isTTY || manner.quiet || caught !== null) return;
  const width = Math.max(MIN_COLUMNS, widthOf(process.stderr) - 1);
  process.stderr.write(`${CLEAR_LINE}${escapeControls(line).slice(0, width)}`);
}

/** Shows a host's prompt. */
export function showPrompt(text: string): void {
  process.stderr.write(escapePrompt(text));
}

/** Returns whether stderr is a terminal, where progress and prompts are shown. */
export const isWatched = (): boolean => process.stderr.isTTY;

/** Returns whether stdout is a terminal. */
export const isShown = (): boolean => process.stdout.isTTY;

/** Returns the size of the terminal at stderr, in characters. */
export const promptSize = (): { columns: number; rows: number } => ({
  columns: process.stderr.columns,
  rows: process.stderr.rows,
});

/** Returns the width of the terminal at stdout in columns, else Infinity. */
export const terminalWidth = (): number => (process.stdout.isTTY ? widthOf(process.stdout) : Infinity);

/** Returns the height of the terminal at stdout in rows, else Infinity. */
export const terminalHeight = (): number =>
  process.stdout.isTTY && process.stdout.rows > 0 ? process.stdout.rows : Infinity;

/** Returns the width in columns; Infinity for 0, which a pseudo-terminal has if its size was never set. */
const widthOf = ({ columns }: { columns: number }): number => (columns > 0 ? columns : Infinity);

/** Calls the listener with the error of a failed write to stdout. */
export function onPrintError(listener: (error: Error) => void): void {
  process.stdout.on('error', listener);
}

/**
 * Writes the bytes of a profile or table to stdout. `write` writes a chunk completely, except for a character that
 * continues in the next one.
 */
interface OutputBytes {
  write(chunk: Uint8Array): void;
  end(): void;
}

/** Returns a writer to stdout that escapes text if `isTerminal`. */
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

/** Writes a table for programs, such as CSV, to stdout. */
export function printTable(text: string): void {
  const bytes = outputBytes();
  bytes.write(new TextEncoder().encode(text));
  bytes.end();
}

/** Writes the output of a recorded program unchanged. Resolves when it is written; rejects if the reader is gone. */
export async function programOutput(stream: 'stdout' | 'stderr', chunk: Uint8Array): Promise<void> {
  await writeAllLater(stream === 'stdout' ? STDOUT : STDERR, chunk);
}

/** Returns this command's stdin, for a recorded program. */
export const programInput = (): AsyncIterable<Uint8Array> => process.stdin;
