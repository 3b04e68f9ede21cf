import type { TimeRange } from '#core/analyze/time/time-grid.ts';
import { count, countOf, format } from '../../ui/format.ts';
import type { Analysis } from '../../analysis/profile/protocol.ts';
import { durationLabel, rangeLabel } from '../../ui/time/time-label.ts';

/** The strip in words. */
export function stripText(chosen: TimeRange | null, whole: TimeRange, zero: number): string {
  if (chosen === null) return `all ${durationLabel(whole)}; drag to select a range`;
  return `${rangeLabel(chosen, zero)} of ${durationLabel(whole)}`;
}

/** The chosen range as a chip: `time: 2.2 s · 21.3 %`. The share is of samples that show without the range. */
export function rangeChipText(range: TimeRange, analysis: Analysis | null): string {
  const share = analysis?.withoutRange ?? null;
  const part = share === null ? '' : ` · ${format.share(analysis!.sampleCount, share.sampleCount)}`;
  return `time: ${durationLabel(range)}${part}`;
}

/** What the chip's number means, and what the range leaves out unseen. */
export function rangeChipMeaning(analysis: Analysis | null): string {
  const without = analysis?.withoutRange ?? null;
  if (analysis === null || without === null) return 'Only samples in the selected time';
  const share = `${count(analysis.sampleCount)} of ${countOf(without.sampleCount, 'sample')}`;
  return `Only samples in the selected time: ${share}${withoutTimeText(analysis) === '' ? '' : `; ${withoutTimeText(analysis)}`}`;
}

/** `7 samples without a timestamp left out`; empty where there are none. */
export function withoutTimeText({ withoutTime }: Pick<Analysis, 'withoutTime'>): string {
  return withoutTime === 0 ? '' : `${countOf(withoutTime, 'sample')} without a timestamp left out`;
}
