import { median, secondsRow, type BenchRow } from './table.ts';

const MAX_SECONDS = 2;

/** Number of times that a live session's time to a change of behaviour is measured. */
export const CHANGES = 3;

/** Returns the row of these times in seconds. */
export function changeTimeRow(what: string, found: readonly number[], how: string): BenchRow {
  const note = `median of ${found.length}, longest ${Math.max(...found).toFixed(2)} s; ${how}`;
  return secondsRow(what, median(found), MAX_SECONDS, note);
}
