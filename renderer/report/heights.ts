import { ROW_SIZES } from '../ui/row-sizes.ts';

/** Height of a graph's head, map, axis and legend, in CSS pixels. */
const GRAPH_FRAME_PX = 190;
const MOST_GRAPH_PX = 640;
const LEAST_GRAPH_PX = 260;
/** Height of a table's toolbar, head and foot, in CSS pixels. */
const TABLE_FRAME_PX = 96;
const MOST_TABLE_PX = 520;

/** Returns the height that shows the whole graph, up to most of a screen. */
export const graphHeight = (maxDepth: number): number =>
  Math.min(MOST_GRAPH_PX, Math.max(LEAST_GRAPH_PX, GRAPH_FRAME_PX + (maxDepth + 1) * ROW_SIZES.compact.framePx));

export const tableHeight = (rows: number): number =>
  Math.min(MOST_TABLE_PX, TABLE_FRAME_PX + rows * ROW_SIZES.compact.rowPx);
