import type { Selection } from '#core/analyze/view/stack-view.ts';
import type { TimeRange } from '#core/analyze/time/time-grid.ts';
import type { ResolvedTransforms } from '#core/analyze/transforms/transforms.ts';
import type { TimeStrip } from '#core/analyze/time/time-strip.ts';
import type { TimeViews } from '../profile/time-views.ts';

/** A capture of a side as its time strip sees it. */
export interface TimedCapture {
  readonly times: TimeViews;
  readonly selection: Selection;
  readonly resolved: ResolvedTransforms;
  readonly transformsKey: string;
  /** From its unit to that of the comparison. */
  readonly scale: number;
}

/** All captures of a side on one another, each from its own origin; null where no sample of any has a time. */
export function sideStrip(
  captures: readonly TimedCapture[],
  window: TimeRange | null,
  buckets: number,
): TimeStrip | null {
  const wholes = captures.flatMap(({ times, ...subject }) => times.strip(subject, null, 1)?.whole ?? []);
  if (wholes.length === 0) return null;
  const whole = {
    start: Math.min(...wholes.map(({ start }) => start)),
    end: Math.max(...wholes.map(({ end }) => end)),
  };
  const strips = captures.flatMap(({ times, scale, ...subject }) => {
    const strip = times.strip(subject, window ?? whole, buckets);
    return strip === null ? [] : [{ strip, scale }];
  });
  const [{ strip: first }] = strips as [(typeof strips)[number]];
  const sum = (of: (strip: TimeStrip) => Float64Array | Int32Array | null, isWeight: boolean): Float64Array => {
    const total = new Float64Array(first.weight.length);
    for (const { strip, scale } of strips) {
      of(strip)?.forEach((value, bucket) => (total[bucket]! += value * (isWeight ? scale : 1)));
    }
    return total;
  };
  return {
    ...first,
    whole,
    weight: sum(({ weight }) => weight, true),
    sampleCount: Int32Array.from(sum(({ sampleCount }) => sampleCount, false)),
    hidden: strips.every(({ strip }) => strip.hidden === null) ? null : sum(({ hidden }) => hidden, true),
    withoutTime: strips.reduce((count, { strip }) => count + strip.withoutTime, 0),
  };
}
