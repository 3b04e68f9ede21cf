import type { Profile } from '../../model/profile.ts';
import type { Selection } from '../view/stack-view.ts';
import type { TimeGrid, TimeRange } from './grid.ts';
import { sumByCell, timeSpan, weightsOfSpan } from './histogram.ts';

/** The same number as in FlameScope. */
export const HEATMAP_ROWS = 50;
/** Two hours of seconds: wider than any screen, and 7 MB of cells. */
const MAX_COLUMNS = 7200;
const SECOND = 1_000_000_000;
/** Seconds per column for captures too long for one-second columns; doubled beyond the last. */
const COLUMN_SECONDS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600];

/**
 * FlameScope's subsecond-offset heat map (https://github.com/Netflix/flamescope): a column is a second of the source's
 * own clock, a row an offset within it, row 0 the earliest. The first and last columns may extend beyond the samples.
 */
export interface SubsecondHeatmap extends TimeGrid {
  /** One second, or more if there would be too many columns. Whole seconds. */
  readonly columnNs: number;
  /** By cell: `column × rows + row`. */
  readonly weight: Float64Array;
  readonly sampleCount: Float64Array;
  /** Maximum over all cells; at least 0. */
  readonly maxWeight: number;
  /** Number of samples of the selection's threads and value type that have no time. */
  readonly withoutTime: number;
}

interface HeatmapOptions {
  readonly rows?: number;
  readonly maxColumns?: number;
  /** As in `timeHistogram`. */
  readonly shown?: Float64Array;
  /** If a range is given, extends it to whole columns at both ends. Default: only the range. */
  readonly wholeColumns?: boolean;
}

/**
 * Computes the heat map, or null if no sample has a time. It spans the selection's time range, or the whole profile
 * regardless of the selected threads.
 */
export function subsecondHeatmap(
  profile: Profile,
  selection: Selection,
  { rows = HEATMAP_ROWS, maxColumns = MAX_COLUMNS, shown, wholeColumns = false }: HeatmapOptions = {},
): SubsecondHeatmap | null {
  const span = selection.timeRange ?? timeSpan(profile);
  if (profile.samples.time === null || span === null) return null;
  const { grid, columnNs } = layOut(span, profile.metadata.timeOrigin ?? 0n, rows, maxColumns);
  const { weights, withoutTime } = weightsOfSpan(profile, selection, wholeColumns ? grid : span, shown);
  const sums = sumByCell(profile, selection, weights, grid);
  const maxWeight = sums.weight.reduce((most, one) => Math.max(most, one), 0);
  return { ...grid, columnNs, ...sums, maxWeight, withoutTime };
}

/** Starts columns at whole seconds (or multiples of a longer column) of the clock that `timeOrigin` refers to. */
function layOut(
  span: TimeRange,
  timeOrigin: bigint,
  rows: number,
  maxColumns: number,
): { grid: TimeGrid; columnNs: number } {
  for (let size = 0; ; size++) {
    const last = COLUMN_SECONDS.length - 1;
    const columnNs = COLUMN_SECONDS[Math.min(size, last)]! * 2 ** Math.max(0, size - last) * SECOND;
    const intoColumn = Number(timeOrigin % BigInt(columnNs));
    const start = Math.floor((span.start + intoColumn) / columnNs) * columnNs - intoColumn;
    const columns = Math.max(1, Math.ceil((span.end - start) / columnNs));
    // At least two, because a column may begin within any span, however long columns are.
    if (columns <= Math.max(2, maxColumns))
      return { grid: { start, end: start + columns * columnNs, columns, rows }, columnNs };
  }
}
