import type { TimeRange } from '#core/analyze/time/grid.ts';
import { count, countOf, format } from '../../ui/format.ts';
import type { Analysis } from '../../analysis/profile/protocol.ts';
import { durationLabel, rangeLabel } from '../../ui/time/time-label.ts';

/** Returns a description of the strip. */
export function stripText(chosen: TimeRange | null, whole: TimeRange, zero: number): string {
  if (chosen === null) return `all ${durationLabel(whole)}; drag to select a range`;
  return `${rangeLabel(chosen, zero)} of ${durationLabel(whole)}`;
}

/**
 * Returns the label of the selected range's chip: `time: 2.2 s · 21.3 %`. The share is of the samples shown without the
 * range.
 */
export function rangeChipText(range: TimeRange, analysis: Analysis | null): string {
  const share = analysis?.withoutRange ?? null;
  const part = share === null ? '' : ` · ${format.share(analysis!.sampleCount, share.sampleCount)}`;
  return `time: ${durationLabel(range)}${part}`;
}

/** Explains the chip's number, and which samples the range excludes without showing them. */
export function rangeChipMeaning(analysis: Analysis | null): string {
  const without = analysis?.withoutRange ?? null;
  if (analysis === null || without === null) return 'Only samples in the selected time';
  const share = `${count(analysis.sampleCount)} of ${countOf(without.sampleCount, 'sample')}`;
  return `Only samples in the selected time: ${share}${withoutTimeText(analysis) === '' ? '' : `; ${withoutTimeText(analysis)}`}`;
}

/** Returns `7 samples without a timestamp left out`; empty if there are none. */
export function withoutTimeText({ withoutTime }: Pick<Analysis, 'withoutTime'>): string {
  return withoutTime === 0 ? '' : `${countOf(withoutTime, 'sample')} without a timestamp left out`;
}
