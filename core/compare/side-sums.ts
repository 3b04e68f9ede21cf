import type { CaptureFactor } from './capture-facts.ts';
import { functionColumns } from './function-sums.ts';
import type { MeasuredCapture } from './measure-capture.ts';
import type { CaptureColumns } from './side-measures.ts';

/** Sums of a side's captures: of each matched function, and of all. */
export interface SideSums {
  readonly self: readonly CaptureColumns[];
  readonly total: readonly CaptureColumns[];
  readonly whole: readonly CaptureColumns[];
}

/** `onCapture`: awaited before each. */
export async function sumSide(
  captures: readonly MeasuredCapture[],
  functions: readonly Int32Array[],
  factors: readonly CaptureFactor[],
  rows: number,
  onCapture: (place: number) => void | Promise<void>,
): Promise<SideSums> {
  const sumCapture = (capture: MeasuredCapture, place: number) => {
    const toMatched = functions[place]!;
    const { length, parent, func } = capture.view;
    const renamed = { length, parent, func: func.map((own) => toMatched[own]!) };
    const sums = functionColumns(renamed, capture.self, capture.columns, rows);
    return { capture, factor: factors[place]!, ...sums };
  };
  const parts = await inTurn(captures, sumCapture, onCapture);
  return {
    self: parts.map(({ capture, factor, self }) => ({ capture, factor, sums: self })),
    total: parts.map(({ capture, factor, total }) => ({ capture, factor, sums: total })),
    whole: parts.map(({ capture, factor }) => ({ capture, factor, sums: capture.whole })),
  };
}

/** One after the other; `before` each is awaited. */
export async function inTurn<T, R>(
  items: readonly T[],
  work: (item: T, place: number) => R,
  before: (place: number) => void | Promise<void>,
): Promise<R[]> {
  const results: R[] = [];
  for (const [place, item] of items.entries()) {
    await before(place);
    results.push(work(item, place));
  }
  return results;
}
