import type { StackView } from '#core/analyze/view/stack-view.ts';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import { timeSpan } from '#core/analyze/time/histogram.ts';
import { parseTimeRange, timeRangeText, timeText, type TimeRangeProblem } from '#core/analyze/time/text.ts';
import type { Profile } from '#core/model/profile.ts';
import { escapeControls } from '#core/contract/escape-controls.ts';
import { usageError } from '../errors.ts';
import { countText } from '#core/units/format.ts';
import { warn } from '../output/terminal.ts';

const PROBLEMS: Readonly<Record<TimeRangeProblem, string>> = {
  'no-range': 'is not a range',
  'bad-start': 'has an invalid start',
  'bad-end': 'has an invalid end',
  empty: 'ends before it starts',
};

/** Returns the range given by the user in the profile's own times; null if none is given. */
export function chooseTime(profile: Profile, wanted: string | undefined): TimeRange | null {
  if (wanted === undefined) return null;
  const named = `--time ${escapeControls(wanted.slice(0, 100))}`;
  const whole = timeSpan(profile);
  if (whole === null) {
    throw usageError(
      `${named}: no sample in this profile has a timestamp`,
      'leave --time out, or use a format with timestamps',
    );
  }
  const range = parseTimeRange(wanted, whole);
  const there = `samples range from 0 to ${timeText(whole.end - whole.start)} seconds`;
  if (typeof range === 'string')
    throw usageError(`${named} ${PROBLEMS[range]}`, `write 12.5..14, 250ms..1s or 1:02..1:10; ${there}`);
  if (range.end <= whole.start || range.start >= whole.end) throw usageError(`${named} is outside the profile`, there);
  return range;
}

/** The effect of a time range, for scripts. */
export interface ShownTime {
  /** In the form that `--time` takes. */
  readonly range: string;
  /** Number of samples excluded because they have no timestamp. */
  readonly withoutTime: number;
}

/** Returns null if no range is selected. */
export function shownTime({ profile, selection: { timeRange }, withoutTime }: StackView): ShownTime | null {
  const whole = timeSpan(profile);
  if (timeRange === null || whole === null) return null;
  const after = { start: timeRange.start - whole.start, end: timeRange.end - whole.start };
  return { range: timeRangeText(after), withoutTime };
}

/**
 * Reports the selected range on stderr: the range, its number of samples, and the samples excluded because they have no
 * timestamp.
 */
export function reportTime(view: StackView): void {
  const shown = shownTime(view);
  if (shown === null) return;
  const without = shown.withoutTime === 0 ? '' : `, ${shown.withoutTime} without a timestamp left out`;
  warn(`time ${shown.range}: ${countText(view.sampleCount, 'sample')}${without}`);
}
