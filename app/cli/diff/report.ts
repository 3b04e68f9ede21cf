import type { CaptureQuality } from '#core/model/quality-grade.ts';
import { absoluteTotal } from '#core/analyze/reading/absolute-total.ts';
import type { Comparison, ComparedSide } from '#core/compare/comparison.ts';
import { rankFunctions, type ComparedFunction } from '#core/compare/rank-functions.ts';
import { isChange, type Judgement, type Metric } from '#core/compare/statistics/judge.ts';
import { normalisedValue } from '#core/compare/measure/side-measures.ts';
import { COLUMN } from '#core/compare/measure/measure-capture.ts';
import type { ValueType } from '#core/model/profile.ts';
import type { ShownFunctions } from './options.ts';
import type { Side } from '#core/contract/side.ts';

/** A function of a comparison. */
export type DiffRow = ComparedFunction;

/** A capture of a side. */
interface DiffCaptureRow {
  readonly name: string;
  readonly valueType: ValueType;
  /** Its weight after selection, in its own unit. */
  readonly weight: number;
  /** The same weight, normalised. */
  readonly value: number;
  readonly samples: number;
  readonly quality?: CaptureQuality;
  /** True if only one side has captures of this host; the capture is excluded from the comparison. */
  readonly leftOut: boolean;
}

const SHOWN: Readonly<Record<ShownFunctions, (judgement: Judgement, row: DiffRow) => boolean>> = {
  all: () => true,
  changed: ({ verdict }) => isChange(verdict),
  grew: ({ verdict }) => verdict === 'grew',
  shrank: ({ verdict }) => verdict === 'shrank',
  maybe: ({ verdict }) => verdict === 'suggestive',
  new: (_, { presence }) => presence === 'only-after',
  removed: (_, { presence }) => presence === 'only-before',
};

/** Returns the requested functions, ordered by verdict on the metric, then by the size of its delta. */
export const rankRows = (comparison: Comparison, metric: Metric, shown: ShownFunctions): DiffRow[] =>
  rankFunctions(comparison, metric).filter((row) => SHOWN[shown](row[metric], row));

/** Returns the side's total of absolute weights, normalised and averaged like its net total; see {@link absoluteTotal}. */
export function absoluteOf(comparison: Comparison, side: Side): number {
  const { captures, factors, parts }: ComparedSide = comparison[side];
  return captures.reduce(
    (sum, { view }, place) => sum + normalisedValue(absoluteTotal(view), factors[place]!) * parts[place]!,
    0,
  );
}

export function captureRows(comparison: Comparison, side: Side): DiffCaptureRow[] {
  const { captures, totals, parts }: ComparedSide = comparison[side];
  return captures.map(({ facts, valueType, whole, view }, place): DiffCaptureRow => ({
    name: facts.name,
    valueType,
    weight: whole[COLUMN.weight]!,
    value: totals[place]!,
    samples: view.sampleCount,
    ...(facts.quality === undefined ? {} : { quality: facts.quality }),
    leftOut: parts[place] === 0,
  }));
}
