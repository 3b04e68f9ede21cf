/**
 * An analysis in pieces of a few milliseconds, between which a page without a worker can answer. Returns its result at
 * the end.
 */
export type Steps<Result> = Generator<void, Result, void>;

/** Rows that a piece of a loop handles. */
const PIECE_ROWS = 32_768;

/** Runs an analysis without a pause. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Runs an analysis, with `rest` awaited between its pieces. */
export async function finishInSlices<Result>(
  steps: Steps<Result>,
  rest: (() => Promise<void>) | undefined,
): Promise<Result> {
  if (rest === undefined) return finish(steps);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await rest();
  }
}

/** Maps items one after the other, each in a piece. */
export function* mapSteps<T, Result>(items: readonly T[], map: (item: T) => Result): Steps<Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(map(item));
    yield;
  }
  return results;
}

/** Calls `work` for consecutive ranges that make up 0 … length − 1. */
export function* inPieces(
  length: number,
  work: (first: number, end: number) => void,
  rows: number = PIECE_ROWS,
): Steps<void> {
  for (let first = 0; first < length; first += rows) {
    if (first > 0) yield;
    work(first, Math.min(length, first + rows));
  }
}
