import { useMemo, type ReactElement } from 'react';
import { rangeOfCells, type TimeRange } from '#core/analyze/time/grid.ts';
import { useView } from '../../state/profile/context.ts';
import { weightFormat } from '../../state/weight-format.ts';
import { count } from '../../ui/format.ts';
import { rangeLabel, timeLabel } from '../../ui/time/time-label.ts';
import type { HeatMap } from '#core/analyze/time/strip.ts';
import { LinkButton } from '../../ui/buttons.tsx';

interface ColumnText {
  readonly range: TimeRange;
  readonly samples: number;
  readonly weight: number;
  /** The heaviest cell; null if the column has no samples. */
  readonly busiest: TimeRange | null;
}

/** The heat map as text: each column with its heaviest cell. It has at most as many rows as the map has columns. */
export function HeatTable({ map, onRange }: { map: HeatMap; onRange: (range: TimeRange) => void }): ReactElement {
  const { profile } = useView();
  const weights = weightFormat(profile.valueTypes[map.valueType]!.unit);
  const columns = useMemo(() => columnTexts(map), [map]);
  const zero = map.whole.start;
  return (
    <div className="heat-table">
      <table aria-label="Heat map as text">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Samples</th>
            <th scope="col">Weight</th>
            <th scope="col">Heaviest cell</th>
          </tr>
        </thead>
        <tbody className="mono">
          {columns.map(({ range, samples, weight, busiest }) => (
            <tr key={range.start}>
              <th scope="row">
                <LinkButton onClick={() => onRange(range)}>
                  {timeLabel(Math.max(0, range.start - zero), map.columnNs / map.rows)}
                </LinkButton>
              </th>
              <td>{count(samples)}</td>
              <td>{weights.value(weight)}</td>
              <td>{busiest === null ? '–' : rangeLabel(busiest, zero)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns the sums and the heaviest cell of each column. */
export function columnTexts(map: HeatMap): ColumnText[] {
  return Array.from({ length: map.columns }, (_, column) => {
    const first = column * map.rows;
    let samples = 0;
    let weight = 0;
    let busiest = -1;
    for (let cell = first; cell < first + map.rows; cell++) {
      samples += map.sampleCount[cell]!;
      weight += map.weight[cell]!;
      if (map.sampleCount[cell]! > 0 && (busiest < 0 || map.weight[cell]! > map.weight[busiest]!)) busiest = cell;
    }
    const range = rangeOfCells(map, first, first + map.rows - 1);
    return { range, samples, weight, busiest: busiest < 0 ? null : rangeOfCells(map, busiest, busiest) };
  });
}
