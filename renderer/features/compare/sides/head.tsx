import { useState, type ReactElement } from 'react';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import { useCaptureDrop } from '../../../ui/lists/capture-drag.ts';
import { ExperimentLabel } from '../../experiments/label.tsx';
import type { Theme } from '../../../ui/flame/graph.types.ts';
import { valueTypeText } from '../../../state/value-type-text.ts';
import { CutName } from '../../../ui/fitted-text.tsx';
import { count, countOf, format } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icons.tsx';
import { useWorkbench, useWorkbenchState } from '../../../state/workbench-context.ts';
import type { ValueTypeName } from '#core/compare/measure/common-value-type.ts';
import { useCompare, useCompareState } from '../../../state/compare/context.ts';
import { AddCaptures } from './add-captures.tsx';
import { captureName, sideName } from '../../../state/compare/title.ts';
import type { CompareSide } from '../../../state/compare/compare.types.ts';
import { SideThreads, threadText } from './side-threads.tsx';
import { SideTime } from './side-time.tsx';
import type { Side } from '#core/contract/side.ts';

/** The sides, *before* on the left and *after* on the right, with their captures and choices. */
export function CompareSides({ theme }: { theme: Theme }): ReactElement {
  const [open, setOpen] = useState(false);
  const side = (name: Side): ReactElement => (
    <div className={`side-box ${name}`}>
      <SideHead side={name} open={open} onOpen={setOpen} />
      {open && <SideChoices side={name} theme={theme} />}
    </div>
  );
  return (
    <div className="compare-sides">
      {side('before')}
      {side('after')}
    </div>
  );
}

interface SideHeadProps {
  readonly side: Side;
  /** True if the choices of both sides are shown. */
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
}

/** A side's captures in one line. Captures of the library can be dropped on it. */
export function SideHead({ side, open, onOpen }: SideHeadProps): ReactElement {
  const own = useCompareState((state) => state[side]);
  const captures = useWorkbenchState((state) => state.captures);
  const tab = useCompare();
  const { tabs } = useWorkbench();
  const { isOver, ...drop } = useCaptureDrop((ids) => {
    const dropped = ids.flatMap((id) => captures?.find((capture) => capture.id === id) ?? []);
    tab.add(
      side,
      dropped.map(({ id, primaryFile }) => tabs.captureInput(id, primaryFile)),
    );
  });
  const names = own.captures.map((capture) => captureName(capture, captures));
  const title = shortenMiddle(visibleText(sideName(own, captures).slice(0, 1000)), 60);
  const isRead = own.captures.some(({ opened }) => opened !== null);
  return (
    <section
      className={isOver ? `side-head over ${side}` : `side-head ${side}`}
      {...drop}
      aria-label={side === 'before' ? 'Before' : 'After'}
    >
      <span className={`side-label ${side}`}>{side}</span>
      <ExperimentLabel side={side} />
      <h3 aria-label={title} title={names.map((name) => visibleText(name.slice(0, 1000))).join('\n')}>
        <CutName name={title} />
      </h3>
      <span className="side-facts ellipsis" title={factsText(own)}>
        {factsText(own)}
      </span>
      {isRead && <ChoiceButton side={side} open={open} onOpen={onOpen} />}
      <AddCaptures side={side} />
    </section>
  );
}

/** Value type, threads and time range of a side. */
export function SideChoices({ side, theme }: { side: Side; theme: Theme }): ReactElement | null {
  const { captures } = useCompareState((state) => state[side]);
  if (captures.every(({ opened }) => opened === null)) return null;
  return (
    <div className="side-choices">
      <div className="side-line">
        <SideValueType side={side} />
        <SideThreads side={side} />
      </div>
      {captures.some(({ opened }) => opened?.hasTime === true) ? (
        <SideTime side={side} theme={theme} />
      ) : (
        <p className="faint-hint">No time range: these files have no sample timestamps.</p>
      )}
    </div>
  );
}

/** Shows which part of the side is compared, and opens the choices. */
function ChoiceButton({ side, open, onOpen }: SideHeadProps): ReactElement {
  const { threads, timeRange } = useCompareState((state) => state[side]);
  const type = useUsedType(side)?.type ?? null;
  const text = [
    type,
    threads === null ? null : threads.length === 1 ? threadText(threads[0]!) : countOf(threads.length, 'thread choice'),
    timeRange === null ? null : format.value(timeRange.end - timeRange.start, 'nanoseconds'),
  ];
  return (
    <button
      type="button"
      className="select picker side-choice"
      aria-expanded={open}
      aria-label={`Selection ${side}: ${text.flatMap((part) => part ?? []).join(', ')}`}
      title="Value type, threads and time range of this side"
      onClick={() => onOpen(!open)}
    >
      <span className="ellipsis">{text.flatMap((part) => part ?? []).join(' · ')}</span>
      <Icon name="chevron-down" />
    </button>
  );
}

/** Returns the chosen value type, else that of the comparison on screen. */
function useUsedType(side: Side): ValueTypeName | null {
  const chosen = useCompareState((state) => state[side].valueType);
  const used = useCompareState((state) => state.analysis?.[side].captures[0]?.valueType ?? null);
  return chosen ?? used;
}

/** Returns `5 captures × 6 s · 6,734 samples · 499 Hz`. */
function factsText({ captures }: CompareSide): string {
  const read = captures.flatMap(({ opened }) => opened ?? []);
  const known = <T,>(values: readonly (T | null)[]): T[] => values.flatMap((value) => value ?? []);
  const rates = new Set(known(read.map(({ facts }) => facts.rateHz)).map((rate) => `${count(Math.round(rate))} Hz`));
  const number = captures.length === 1 ? null : countOf(captures.length, 'capture');
  const length = lengthText(known(read.map(({ facts }) => facts.durationSeconds)));
  const samples = read.reduce((sum, { sampleCount }) => sum + sampleCount, 0);
  return [
    known([number, length]).join(' × '),
    read.length === 0 ? '' : countOf(samples, 'sample'),
    [...rates].join(', '),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** Relative difference below which durations count as equal. */
const SAME_LENGTH = 0.02;

/** Returns `6 s` or `6 s to 9 s`; null if none is known. */
function lengthText(seconds: readonly number[]): string | null {
  if (seconds.length === 0) return null;
  const text = (value: number): string => format.value(value, 'seconds');
  const [least, most] = [Math.min(...seconds), Math.max(...seconds)];
  return most - least <= SAME_LENGTH * most ? text(most) : `${text(least)} to ${text(most)}`;
}

const keyOf = ({ type, unit }: ValueTypeName): string => JSON.stringify([type, unit]);

/** The value type of a side; values of the same dimension are converted to the first capture's unit. */
function SideValueType({ side }: { side: Side }): ReactElement {
  const tab = useCompare();
  const { captures, valueType } = useCompareState((state) => state[side]);
  const chosen = useUsedType(side);
  const types = new Map(
    captures.flatMap(({ opened }) => opened?.valueTypes ?? []).map((one) => [keyOf(one), one] as const),
  );
  const choices = [...types.values()];
  return (
    <label className="select">
      <span className="caption">type</span>
      <select
        aria-label={`Value type ${side}`}
        value={chosen === null ? '' : keyOf(chosen)}
        disabled={types.size < 2 && valueType === null}
        onChange={(event) => tab.choose(side, { valueType: types.get(event.target.value) ?? null })}
      >
        <option value="">automatic, for both sides</option>
        {choices.map((one, index) => (
          <option key={keyOf(one)} value={keyOf(one)}>
            {valueTypeText(choices, index)}
          </option>
        ))}
      </select>
      {types.size > 1 && <Icon name="chevron-down" />}
    </label>
  );
}
