import type { CaptureQuality } from '#core/model/quality-grade.ts';
import { compareText } from '#core/analyze/compare-text.ts';
import { functionRef } from '#core/analyze/function-ref.ts';
import type { Comparison, ComparedSide } from '#core/compare/comparison.ts';
import type { Metric } from '#core/compare/describe-change.ts';
import type { Judgement, Presence } from '#core/compare/statistics/judge.ts';
import { COLUMN } from '#core/compare/measure/measure-capture.ts';
import type { Side } from '#core/contract/schemas.ts';
import type { ValueType } from '#core/model/profile.ts';
import type { ShownFunctions } from './options.ts';

/** A function of a comparison. */
export interface DiffRow {
  readonly func: number;
  readonly name: string;
  readonly module: string;
  readonly file: string;
  readonly line: number;
  readonly self: Judgement;
  readonly total: Judgement;
  readonly presence: Presence;
}

/** A capture of a side. */
export interface DiffCaptureRow {
  readonly name: string;
  readonly valueType: ValueType;
  /** All that is seen of it, in its own unit. */
  readonly weight: number;
  /** The same, normalised. */
  readonly value: number;
  readonly samples: number;
  /** Its host is on this side only, so it counts for nothing. */
  readonly quality?: CaptureQuality;
  readonly leftOut: boolean;
}

/** Certain changes first, then those that may be one. */
const ORDER: Readonly<Record<Judgement['verdict'], number>> = {
  grew: 0,
  shrank: 0,
  suggestive: 1,
  unknown: 2,
  noise: 3,
};

const SHOWN: Readonly<Record<ShownFunctions, (judgement: Judgement, row: DiffRow) => boolean>> = {
  all: () => true,
  changed: ({ verdict }) => verdict === 'grew' || verdict === 'shrank',
  grew: ({ verdict }) => verdict === 'grew',
  shrank: ({ verdict }) => verdict === 'shrank',
  maybe: ({ verdict }) => verdict === 'suggestive',
  new: (_, { presence }) => presence === 'only-after',
  removed: (_, { presence }) => presence === 'only-before',
};

/** The functions asked for, by verdict on the metric, then by the size of its delta. */
export function rankRows({ matched, self, total }: Comparison, metric: Metric, shown: ShownFunctions): DiffRow[] {
  const { table } = matched;
  const rows = self.map((_, func): DiffRow => {
    const { name, module, file, line } = functionRef(table, func);
    const { presence } = total[func]!;
    return { func, name, module, file, line, self: self[func]!, total: total[func]!, presence };
  });
  return rows
    .filter((row) => SHOWN[shown](row[metric], row))
    .sort(
      (a, b) =>
        ORDER[a[metric].verdict] - ORDER[b[metric].verdict] ||
        Math.abs(b[metric].delta) - Math.abs(a[metric].delta) ||
        compareText(a.name, b.name) ||
        compareText(a.module, b.module),
    );
}

export function captureRows(comparison: Comparison, side: Side): DiffCaptureRow[] {
  const { captures, totals }: ComparedSide = comparison[side];
  const counted = new Set(comparison.design[side].groups.flat());
  return captures.map(({ facts, valueType, whole, view }, place): DiffCaptureRow => ({
    name: facts.name,
    valueType,
    weight: whole[COLUMN.weight]!,
    value: totals[place]!,
    samples: view.sampleCount,
    ...(facts.quality === undefined ? {} : { quality: facts.quality }),
    leftOut: !counted.has(place),
  }));
}
