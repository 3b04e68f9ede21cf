import { type ReactElement, useEffect, useState } from 'react';
import type { ShownSample } from '#core/analyze/time/nearest-sample.ts';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import { kindColour } from '#core/colour/frame-colour.ts';
import { FRAME_KINDS, frameKind } from '#core/colour/frame-kind.ts';
import type { Theme } from '../../ui/flame/graph.types.ts';
import { functionFacts } from '../../../core/model/function-facts.ts';
import { useFunctions, useView, useViewState } from '../../state/profile/context.ts';
import { threadIds, threadName } from '../../state/thread-names.ts';
import { shortName } from '../../state/transforms/list.ts';
import { weightFormat } from '../../state/weight-format.ts';
import { count } from '../../ui/format.ts';
import { nearBars } from './pick-stack.ts';
import { timeLabel } from '../../ui/time/time-label.ts';
import { TimeTip, type TipLine } from '../../ui/time/time-tip.tsx';
import type { ThreadTimes } from '#core/analyze/time/strip.ts';
import type { ThreadIndex } from '#core/model/brand.ts';
import { takeAnswerAfter } from '../../ui/take-answer.ts';

interface ThreadTipProps {
  readonly x: number;
  readonly y: number;
  readonly title: string;
  /** Lines shown before all others. */
  readonly clock: readonly TipLine[];
  readonly row: ThreadTimes;
  readonly bucket: number;
  /** Range of the bar. */
  readonly span: TimeRange;
  /** Time under the pointer. */
  readonly time: number;
  /** Time of the profile's first sample. */
  readonly zero: number;
  readonly theme: Theme;
}

/** The tooltip of a thread's bar, with the stack of the nearest sample. */
export function ThreadTip({ row, bucket, span, time, zero, theme, clock, ...at }: ThreadTipProps): ReactElement {
  const { profile } = useView();
  const valueType = useViewState((state) => state.selection.valueType);
  const weights = weightFormat(profile.valueTypes[valueType]!.unit);
  const sample = useSampleAt(row.thread, time, nearBars({ ...span, columns: 1 }, (span.start + span.end) / 2));
  const thread = profile.threads[row.thread]!;
  const samples = row.samples?.[bucket] ?? 0;
  const weight = row.weight?.[bucket] ?? 0;
  const lines: TipLine[] = [
    ...clock,
    { label: 'thread', value: `${threadName(thread)} ${threadIds(thread)}`.trim() },
    ...(samples > 0 || weight === 0 ? [{ label: 'samples', value: count(samples) }] : []),
    { label: 'weight', value: weights.value(weight) },
    { label: 'of the thread', value: weights.value(row.total) },
  ];
  if (sample !== null) {
    const step = (span.end - span.start) / 100;
    lines.push({ label: 'sample at', value: timeLabel(sample.time - zero, step) });
    lines.push({ label: 'its weight', value: weights.value(sample.weight) });
  }
  return (
    <TimeTip {...at} lines={lines}>
      {sample !== null && <SampleStack sample={sample} theme={theme} />}
    </TimeTip>
  );
}

/** The stack, leaf first, with each frame's kind of code as its colour and the leaf's kind as text. */
function SampleStack({ sample, theme }: { sample: ShownSample; theme: Theme }): ReactElement {
  const functions = useFunctions();
  const names = { strings: functions.strings, functions };
  if (sample.depth === 0) return <p className="dim">(no stack)</p>;
  const frames = Array.from(sample.funcs, (func) => ({ func, kind: frameKind(functionFacts(names, func)) }));
  const more = sample.depth - frames.length;
  return (
    <ol className="time-tip-stack mono">
      {frames.map(({ func, kind }, place) => (
        <li key={place}>
          <span className="flame-swatch" style={{ background: kindColour(kind, theme) }} />
          <span className="ellipsis">{shortName(functions, func, 46)}</span>
          {place === 0 && <span className="dim">{FRAME_KINDS[kind]}</span>}
        </li>
      ))}
      {more > 0 && <li className="dim">… {count(more)} more</li>}
    </ol>
  );
}

/** Time in ms for which the pointer must rest before a sample is requested. */
const REST_MS = 30;

interface FoundSample {
  readonly thread: ThreadIndex;
  readonly start: number;
  readonly revision: number;
  readonly sample: ShownSample | null;
}

/**
 * Returns the thread's sample at a time, within a span; null until it is known, if there is none, and without a thread.
 */
function useSampleAt(thread: ThreadIndex | null, time: number, { start, end }: TimeRange): ShownSample | null {
  const view = useView();
  const revision = useViewState((state) => state.analysis?.revision ?? null);
  const [found, setFound] = useState<FoundSample | null>(null);
  useEffect(() => {
    if (thread === null || revision === null) return undefined;
    return takeAnswerAfter(
      REST_MS,
      () => view.ask('time-sample', { revision, thread, time, span: { start, end } }),
      (sample) => setFound({ thread, start, revision, sample }),
      () => undefined,
    );
  }, [view, revision, thread, time, start, end]);
  const isOfSpan = found !== null && found.thread === thread && found.start === start && found.revision === revision;
  return isOfSpan ? found.sample : null;
}
