import { useState } from 'react';
import type { ReactElement } from 'react';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { Theme } from '../flame/flame-graph.types.ts';
import { count, countOf, format } from '../shell/format.ts';
import { Icon } from '../shell/icons.tsx';
import { useWorkbenchState } from '../shell/workbench-context.ts';
import type { SideName, ValueTypeName } from '../worker/compare-protocol.ts';
import { useCompare, useCompareState } from './compare-context.ts';
import { AddCaptures } from './add-captures.tsx';
import { captureName, sideName } from './compare-title.ts';
import type { CompareSide } from './compare.types.ts';
import { SideThreads } from './side-threads.tsx';
import { SideTime } from './side-time.tsx';

/** Before on the left, after on the right: what each side is made of, and what of it is compared. */
export function CompareSides({ theme }: { theme: Theme }): ReactElement {
  const [timed, setTimed] = useState(false);
  return (
    <div className="compare-sides">
      <SideHead side="before" timed={timed} onTimed={setTimed} theme={theme} />
      <SideHead side="after" timed={timed} onTimed={setTimed} theme={theme} />
    </div>
  );
}

interface SideHeadProps {
  readonly side: SideName;
  /** The time strips of both sides show. */
  readonly timed: boolean;
  readonly onTimed: (timed: boolean) => void;
  readonly theme: Theme;
}

function SideHead({ side, timed, onTimed, theme }: SideHeadProps): ReactElement {
  const own = useCompareState((state) => state[side]);
  const captures = useWorkbenchState((state) => state.captures);
  const names = own.captures.map((capture) => captureName(capture, captures));
  const isRead = own.captures.some(({ opened }) => opened !== null);
  const hasTime = own.captures.some(({ opened }) => opened?.hasTime === true);
  return (
    <section className={`side-head ${side}`} aria-label={side === 'before' ? 'Before' : 'After'}>
      <div className="side-line">
        <span className={`side-label ${side}`}>{side}</span>
        <b className="ellipsis" title={names.map((name) => visibleText(name.slice(0, 1000))).join('\n')}>
          {shortenMiddle(visibleText(sideName(own, captures).slice(0, 1000)), 60)}
        </b>
        <span className="side-facts ellipsis">{factsText(own)}</span>
        <AddCaptures side={side} />
      </div>
      {isRead && (
        <div className="side-line">
          <SideValueType side={side} />
          <SideThreads side={side} />
          {hasTime && (
            <button
              type="button"
              className="select picker"
              aria-expanded={timed}
              onClick={() => {
                onTimed(!timed);
              }}
            >
              <span className="caption">time</span>
              <span className="ellipsis">{timeText(own)}</span>
              <Icon name="chevron-down" />
            </button>
          )}
        </div>
      )}
      {timed && hasTime && <SideTime side={side} theme={theme} />}
    </section>
  );
}

/** `5 captures · 13,201 samples · 499 Hz · 5 × 30.0 s`. */
function factsText({ captures }: CompareSide): string {
  const read = captures.flatMap(({ opened }) => opened ?? []);
  const known = <T,>(values: readonly (T | null)[]): T[] => values.flatMap((value) => value ?? []);
  const rates = new Set(known(read.map(({ facts }) => facts.rateHz)).map((rate) => `${count(Math.round(rate))} Hz`));
  const seconds = known(read.map(({ facts }) => facts.durationSeconds));
  return [
    captures.length === 1 ? null : countOf(captures.length, 'capture'),
    read.length === 0
      ? null
      : countOf(
          read.reduce((sum, { sampleCount }) => sum + sampleCount, 0),
          'sample',
        ),
    rates.size === 0 ? null : [...rates].join(', '),
    seconds.length === 0 ? null : secondsText(seconds),
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

function secondsText(seconds: readonly number[]): string {
  const text = (value: number): string => format.value(value, 'seconds');
  if (seconds.length === 1) return text(seconds[0]!);
  const [least, most] = [Math.min(...seconds), Math.max(...seconds)];
  return text(least) === text(most)
    ? `${count(seconds.length)} × ${text(most)}`
    : `${count(seconds.length)} × ${text(least)} to ${text(most)}`;
}

function timeText({ timeRange }: CompareSide): string {
  return timeRange === null ? 'all' : format.value(timeRange.end - timeRange.start, 'nanoseconds');
}

const keyOf = ({ type, unit }: ValueTypeName): string => JSON.stringify([type, unit]);

/** What the side is weighed by; values of one dimension are converted to the unit of the first capture. */
function SideValueType({ side }: { side: SideName }): ReactElement {
  const tab = useCompare();
  const { captures, valueType } = useCompareState((state) => state[side]);
  const used = useCompareState((state) => state.compared?.[side].captures[0]?.valueType ?? null);
  const types = new Map(
    captures.flatMap(({ opened }) => opened?.valueTypes ?? []).map((one) => [keyOf(one), one] as const),
  );
  const chosen = valueType ?? used;
  const isOneOfType = ({ type }: ValueTypeName): boolean =>
    [...types.values()].filter((one) => one.type === type).length < 2;
  return (
    <label className="select">
      <span className="caption">type</span>
      <select
        aria-label={`Value type ${side}`}
        value={chosen === null ? '' : keyOf(chosen)}
        disabled={types.size < 2 && valueType === null}
        onChange={(event) => {
          tab.choose(side, { valueType: types.get(event.target.value) ?? null });
        }}
      >
        <option value="">as suits both sides</option>
        {[...types].map(([key, one]) => (
          <option key={key} value={key}>
            {isOneOfType(one) ? one.type : `${one.type} (${one.unit})`}
          </option>
        ))}
      </select>
      {types.size > 1 && <Icon name="chevron-down" />}
    </label>
  );
}
