import type { ReactElement } from 'react';
import { rangeOfCells } from '#core/analyze/time/time-grid.ts';
import { useView } from '../../state/profile/context.ts';
import { weightFormat } from '../../state/weight-format.ts';
import { count, countOf } from '../../ui/format.ts';
import type { OpenedProfile } from '../../analysis/profile/protocol.ts';
import type { CellSpan } from '../../ui/time/heat-canvas.tsx';
import { durationLabel, rangeLabel, timeLabel, wallClock } from '../../ui/time/time-label.ts';
import { TimeTip } from '../../ui/time/time-tip.tsx';
import type { TipLine } from '../../ui/time/time-tip.tsx';
import type { HeatMap } from '#core/analyze/time/time-strip.ts';

interface HeatTipProps {
  readonly map: HeatMap;
  readonly cell: number;
  /** What is being dragged over. */
  readonly span: CellSpan | null;
  readonly x: number;
  readonly y: number;
}

/** The cell under the pointer, or while dragging the time from cell to cell. */
export function HeatTip({ map, cell, span, x, y }: HeatTipProps): ReactElement {
  const { profile } = useView();
  const weights = weightFormat(profile.valueTypes[map.valueType]!.unit);
  const cells = span ?? { first: cell, last: cell };
  const range = rangeOfCells(map, cells.first, cells.last);
  const lines: TipLine[] = [];
  const clock = wallClock(profile.metadata, range.start);
  if (clock !== null) lines.push({ label: 'clock', value: clock });
  if (span !== null && span.last > span.first) lines.push({ label: 'length', value: durationLabel(range) });
  lines.push({ label: 'samples', value: count(sumOf(map.sampleCount, cells)) });
  lines.push({ label: 'weight', value: weights.value(sumOf(map.weight, cells)) });
  return <TimeTip x={x} y={y} title={rangeLabel(range, map.whole.start)} lines={lines} />;
}

/** A cell in words: when it begins, its samples and their weight. */
export function cellText(map: HeatMap, cell: number, profile: OpenedProfile): string {
  const { start } = rangeOfCells(map, cell, cell);
  const samples = map.sampleCount[cell]!;
  const at = timeLabel(start - map.whole.start, map.columnNs / map.rows);
  const weight = weightFormat(profile.valueTypes[map.valueType]!.unit).value(map.weight[cell]!);
  return samples === 0 ? `${at}: no samples` : `${at}: ${countOf(samples, 'sample')}, ${weight}`;
}

function sumOf(values: Int32Array | Float64Array, { first, last }: CellSpan): number {
  let sum = 0;
  for (let cell = first; cell <= last; cell++) sum += values[cell]!;
  return sum;
}
