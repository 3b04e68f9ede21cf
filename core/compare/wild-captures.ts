import { visibleText } from '../analyze/function-label.ts';
import { functionRef } from '../analyze/function-ref.ts';
import type { CompareWarning } from './compare-warning.ts';
import type { Comparison } from './comparison.ts';
import { changeSentence } from './describe-change.ts';
import { LEAST_REPLICATES, type SideMeasures } from './measure/measures.ts';
import { pickCaptures } from './measure/pick-captures.ts';
import { judgeBySize } from './statistics/judge-by-size.ts';
import type { MeasuredMetrics, MeasuredPair } from './statistics/judge-metrics.ts';
import { createValueText } from './value-text.ts';
import { maybeReason, runCounts } from './verdict-words.ts';
import { SIDES, type Side } from '../contract/side.ts';

/** Minimum captures of a side of which one can be called wild: without it, there are still replicates. */
const LEAST_SISTERS = LEAST_REPLICATES;
/**
 * A capture is wild if its distance from the median of its sisters is this many times that of the farthest sister from
 * the median of all, and at least this part of its weight.
 */
const TIMES_FARTHER = 3;
const LEAST_DISTANCE = 0.1;

type Judged = Omit<Comparison, 'warnings' | 'advice' | 'circumstances'>;

/** Names each capture whose functions differ from its sisters', and what the comparison shows without it. */
export function wildWarnings(of: Judged, hasUnitOfWork: boolean): CompareWarning[] {
  return SIDES.flatMap((side) => {
    const used = of.design[side].groups.flat();
    const wild = used.length > LEAST_SISTERS ? wildCapture(of.metrics.self[side], used) : null;
    if (wild === null) return [];
    const kept = [...of[side].replicates.keys()].filter((place) => place !== wild.capture);
    const without = judgeBySize(
      withOnly(of.measured.metrics, side, kept),
      hasUnitOfWork,
      factorsOfOnly(of.factors, side, kept),
    );
    const name = visibleText(functionRef(of.matched.table, wild.row).name);
    const text = createValueText('en', of.normalised, of.whole.after);
    const reason = maybeReason(without.design, runCounts(without.design));
    const times = wild.times === null ? 'absent from the others' : `×${wild.times.toPrecision(2)}`;
    const capture = of[side].captures[of[side].replicates[wild.capture]![0]!]!.facts.name;
    return [
      {
        code: 'wild-capture',
        message: `${capture} differs from the other ${used.length - 1} captures of its side (${name} ${times}); it counts like them. Without it, ${changeSentence(name, without.self[wild.row]!, 'self', text, reason)}`,
      },
    ];
  });
}

interface WildCapture {
  readonly capture: number;
  /** The function that differs most, and its value as a multiple of its sisters' median; null if that is 0. */
  readonly row: number;
  readonly times: number | null;
}

/** Compares the shares of functions: a capture that is larger or smaller as a whole is not wild. */
function wildCapture({ rows, captures, value }: SideMeasures, used: readonly number[]): WildCapture | null {
  const at = (row: number, capture: number): number => value[row * captures.length + capture]!;
  const sums = captures.map((_, capture) => {
    let sum = 0;
    for (let row = 0; row < rows; row++) sum += Math.abs(at(row, capture));
    return sum;
  });
  const shares = Array.from({ length: rows }, (_, row) =>
    captures.map((_, capture) => (sums[capture]! > 0 ? at(row, capture) / sums[capture]! : 0)),
  );
  /** Half of the sum of differences: 0 if the shares are equal, 1 if no function is in both. */
  const distance = (capture: number, medians: readonly number[]): number =>
    shares.reduce((sum, of, row) => sum + Math.abs(of[capture]! - medians[row]!), 0) / 2;
  const ordered = shares.map((of) => Float64Array.from(used, (capture) => of[capture]!).sort());
  const ofSisters = (capture: number): number[] =>
    shares.map((of, row) => medianOf(ordered[row]!, ordered[row]!.indexOf(of[capture]!)));
  const distances = used.map((capture) => distance(capture, ofSisters(capture)));
  const farthest = distances.indexOf(Math.max(...distances));
  const capture = used[farthest]!;
  const sisters = used.filter((other) => other !== capture);
  const medians = ofSisters(capture);
  const usual = Math.max(...sisters.map((sister) => distance(sister, medians)));
  if (distances[farthest]! < Math.max(LEAST_DISTANCE, TIMES_FARTHER * usual)) return null;
  const apart = shares.map((of, row) => of[capture]! - medians[row]!);
  const row = apart.reduce((most, one, row) => (Math.abs(one) > Math.abs(apart[most]!) ? row : most), 0);
  const usually = medianOf(Float64Array.from(sisters, (sister) => at(row, sister)).sort());
  return { capture, row, times: usually > 0 ? at(row, capture) / usually : null };
}

/** Returns the median of ascending values, without the one at the index `left`. */
function medianOf(sorted: Float64Array, left = sorted.length): number {
  const count = left < sorted.length ? sorted.length - 1 : sorted.length;
  const at = (place: number): number => sorted[place < left ? place : place + 1]!;
  const middle = count >> 1;
  return count % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
}

const factorsOfOnly = (factors: Judged['factors'], side: Side, places: readonly number[]) =>
  factors === null || typeof factors === 'string'
    ? factors
    : { ...factors, [side]: Float64Array.from(places, (place) => factors[side][place]!) };

function withOnly(metrics: MeasuredMetrics, side: Side, places: readonly number[]): MeasuredMetrics {
  const keep = (pair: MeasuredPair): MeasuredPair => ({ ...pair, [side]: pickCaptures(pair[side], places) });
  return { self: keep(metrics.self), total: keep(metrics.total), whole: keep(metrics.whole) };
}
