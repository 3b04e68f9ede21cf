import type { LoadResult } from '../../contract/load/result.ts';
import type { LoadToolId } from '../../contract/load/result.ts';

/** Reads the results of one tool in one form; core/load/recognise.ts recognises the form. */
export interface LoadReader {
  readonly tool: LoadToolId;
  /** Returns all results that the text, with plain line ends, contains: at least one. Throws an `ImportFailure`. */
  read(text: string): LoadResult[];
}

export { malformed } from '../../model/failure.ts';

/** Splits a text before each line that matches and drops what precedes the first. `line` is that of a part's start. */
export function splitAt(text: string, start: RegExp): { readonly text: string; readonly line: number }[] {
  const lines = text.split('\n');
  const starts = [...lines.keys()].filter((place) => start.test(lines[place]!));
  return starts.map((from, place) => ({ text: lines.slice(from, starts[place + 1]).join('\n'), line: from + 1 }));
}

/** Returns the number that a tool printed; null if it is not one (`-nan`, `NaN`) or is missing. */
export function numberOf(text: string | undefined): number | null {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}

const SECONDS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};

/** Parses durations as Go and wrk print them, `1.5ms`, `1m30.5s`, into seconds; null if it is not one. */
export function parseDuration(text: string): number | null {
  if (text === '0') return 0;
  if (!/^(?:\d+(?:\.\d*)?(?:ns|us|µs|μs|ms|s|m|h))+$/.test(text)) return null;
  let seconds = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d*)?)(ns|us|µs|μs|ms|s|m|h)/g)) {
    seconds += Number(amount) * SECONDS[unit!]!;
  }
  return tidy(seconds);
}

/** Removes the digits that multiplying decimals adds: 12 significant digits stay. */
export const tidy = (value: number): number => Number(value.toPrecision(12));

/** Returns milliseconds as seconds. */
export const milliseconds = (value: number | null): number | null => (value === null ? null : tidy(value / 1000));
