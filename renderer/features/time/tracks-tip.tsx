import type { ReactElement } from 'react';
import { cellAt, cellStart, type TimeRange } from '#core/analyze/time/grid.ts';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { Theme } from '../../ui/flame/graph.types.ts';
import { useFunctions, useView, useViewState } from '../../state/profile/context.ts';
import { shortName } from '../../state/transforms/list.ts';
import { weightFormat } from '../../state/weight-format.ts';
import { count } from '../../ui/format.ts';
import { durationLabel, rangeLabel, timeLabel, wallClock } from '../../ui/time/time-label.ts';
import { ThreadTip } from './thread-tip.tsx';
import { TimeTip, type TipLine } from '../../ui/time/time-tip.tsx';
import type { GroupBars } from './use-group-bars.ts';
import type { ThreadRows, TimeBars, TimeStrip } from '#core/analyze/time/strip.ts';
import type { Hover } from '../../ui/time/use-time-pointer.ts';

interface TracksTipProps {
  readonly hover: Hover;
  readonly drag: TimeRange | null;
  readonly strip: TimeStrip;
  /** Bars of the selected function. */
  readonly picked: TimeBars | null;
  readonly groups: readonly GroupBars[] | null;
  readonly threads: ThreadRows | null;
  readonly gaps: readonly TimeRange[];
  readonly theme: Theme;
}

/** The tooltip of the bar under the pointer: time, weight, thread; while dragging, the range. */
export function TracksTip(props: TracksTipProps): ReactElement {
  const { hover, drag, strip, picked, groups, threads, gaps, theme } = props;
  const { profile } = useView();
  const functions = useFunctions();
  const func = useViewState((state) => state.picked?.func ?? null);
  const weights = weightFormat(profile.valueTypes[strip.valueType]!.unit);
  const zero = strip.whole.start;
  const at = { x: hover.x, y: hover.y };
  if (drag !== null) {
    return <TimeTip {...at} title={rangeLabel(drag, zero)} lines={[{ label: 'length', value: durationLabel(drag) }]} />;
  }
  const row = threads?.rows.find(({ thread }) => thread === hover.row) ?? null;
  const { bucket, start, end } = bucketAt(row === null || threads === null ? strip : threads, hover.time);
  const step = (end - start) / 10;
  const title = `${timeLabel(start - zero, step)} – ${timeLabel(end - zero, step)}`;
  const lines: TipLine[] = [];
  const clock = wallClock(profile.metadata, hover.time);
  if (clock !== null) lines.push({ label: 'clock', value: clock });
  if (row !== null) {
    const bar = { row, bucket, span: { start, end }, time: hover.time, zero, theme };
    return <ThreadTip {...at} {...bar} title={title} clock={lines} />;
  }
  const samples = strip.sampleCount[bucket]!;
  // A part of a sum need not contain a whole row.
  if (samples > 0 || strip.weight[bucket] === 0) lines.push({ label: 'samples', value: count(samples) });
  lines.push({ label: 'weight', value: weights.value(strip.weight[bucket]!) });
  const left = strip.hidden?.[bucket] ?? 0;
  if (left !== 0) lines.push({ label: 'hidden by transforms', value: weights.value(left) });
  for (const { label, weight } of groups ?? []) {
    if (weight[bucket]! > 0)
      lines.push({ label: shortenMiddle(visibleText(label), 40), value: weights.value(weight[bucket]!) });
  }
  if (picked !== null && func !== null && picked.start === strip.start && picked.end === strip.end) {
    lines.push({ label: shortName(functions, func, 40), value: weights.value(picked.weight[bucket]!) });
  }
  const gap = gaps.find((one) => hover.time >= one.start && hover.time < one.end);
  if (gap !== undefined) lines.push({ label: 'no sample for', value: durationLabel(gap) });
  return <TimeTip {...at} title={title} lines={lines} />;
}

/** Returns the bucket that contains a time, with its limits. */
function bucketAt(
  { start, end, columns }: { start: number; end: number; columns: number },
  time: number,
): TimeRange & { bucket: number } {
  const cells = { start, end, columns, rows: 1 };
  const bucket = cellAt(cells, time);
  return { bucket, start: cellStart(cells, bucket), end: cellStart(cells, bucket + 1) };
}
