import type { Normalisation } from '../../contract/normalisation.ts';
import type { CaptureFactor } from './capture-facts.ts';
import { finishInSlices, type Steps } from '../../steps.ts';
import { sumFunctions, addToFunctions } from './function-sums.ts';
import type { MeasuredCapture } from './measured-capture.ts';
import { SuccessiveDifferences, type AddSample } from './sampling-variance.ts';
import { captureColumns, type CaptureColumns } from './side-measures.ts';

/** Sums of a side's captures: of each matched function, and of the whole. */
export interface SideSums {
  readonly self: readonly CaptureColumns[];
  readonly total: readonly CaptureColumns[];
  readonly whole: readonly CaptureColumns[];
}

/** Sums a side's captures. `onCapture` is awaited before each one, `rest` between pieces of its sums. */
export async function sumSide(
  captures: readonly MeasuredCapture[],
  functions: readonly Int32Array[],
  factors: readonly CaptureFactor[],
  kind: Normalisation,
  rows: number,
  onCapture: (place: number) => void | Promise<void>,
  rest?: () => Promise<void>,
): Promise<SideSums> {
  function* sumCapture(capture: MeasuredCapture, place: number) {
    const toMatched = functions[place]!;
    const { length, parent, func } = capture.view;
    const renamed = { length, parent, func: func.map((own) => toMatched[own]!) };
    const sums = yield* sumFunctions(renamed, capture.self, capture.columns, rows);
    yield;
    const addTo = addToFunctions(renamed, rows);
    yield;
    const columns = (of: Float64Array, add: AddSample) => captureColumns(capture, factors[place]!, of, kind, add);
    return {
      self: yield* columns(sums.self, addTo.self),
      total: yield* columns(sums.total, addTo.total),
      whole: wholeColumns(capture, factors[place]!),
    };
  }
  const parts = await processInTurn(captures, sumCapture, onCapture, rest);
  return {
    self: parts.map(({ self }) => self),
    total: parts.map(({ total }) => total),
    whole: parts.map(({ whole }) => whole),
  };
}

/** Sums all samples, including those without a stack. */
function wholeColumns(capture: MeasuredCapture, factor: CaptureFactor): CaptureColumns {
  const { fine, whole } = capture;
  if (fine === null) return { capture, factor, sums: whole, fine: null };
  const differences = new SuccessiveDifferences(1);
  for (const total of fine.totals) differences.add(Float64Array.of(total));
  return { capture, factor, sums: whole, fine: differences.variances() };
}

/** Processes items one after the other; awaits `before` each, and `rest` between its pieces. */
export async function processInTurn<T, R>(
  items: readonly T[],
  work: (item: T, place: number) => Steps<R>,
  before: (place: number) => void | Promise<void>,
  rest?: () => Promise<void>,
): Promise<R[]> {
  const results: R[] = [];
  for (const [place, item] of items.entries()) {
    await before(place);
    results.push(await finishInSlices(work(item, place), rest));
  }
  return results;
}
