import type { TableLayout } from '#core/contract/settings.ts';
import type { SelectionSums } from '#core/analyze/tables/selection-sums.ts';
import type { FunctionStats } from '#core/analyze/view/stack-view.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { ViewPoint } from '../flame/flame-graph.types.ts';
import type { ShortcutId } from '../keys/shortcuts.ts';
import type { TableFormat } from './table-format.ts';
import type { FunctionTexts, SortOrder } from './table.types.ts';
import type { TablesLook } from './tables-look.ts';

export interface FunctionTableProps {
  /** Columns so narrow that function, self and total fit beside a graph, in about 510 px. */
  readonly narrow?: boolean;
  /** Keep identity of `stats`, `texts` and `format` while they stay the same. */
  readonly stats: FunctionStats;
  readonly texts: FunctionTexts;
  /** Weight of the whole view: 100 %. */
  readonly totalWeight: number;
  /** Its part that no function has. */
  readonly withoutStack: number;
  readonly format: TableFormat;
  /** What the search found, by function. */
  readonly matches: Uint8Array | null;
  readonly selected: FunctionIndex | null;
  readonly onSelect: (func: FunctionIndex) => void;
  readonly onActivate?: (func: FunctionIndex) => void;
  readonly onContextMenu?: (func: FunctionIndex, point: ViewPoint) => void;
  readonly look: TablesLook;
  readonly onLook: (change: Partial<TablesLook>) => void;
  /** Where the user has sorted by nothing. */
  readonly ownSort: SortOrder;
  readonly layout: TableLayout;
  readonly onLayout: (layout: TableLayout) => void;
  readonly requests: FunctionRequests;
  readonly onCopy: (tsv: string) => void;
  /** Keys that transform what is shown, about the selected row. */
  readonly onCommand: (id: ShortcutId) => void;
  readonly onExport: (csv: string) => void;
}

/** What the table asks of whoever holds the stacks. Keep its identity while the view stays. */
export interface FunctionRequests {
  /** 1 per function whose name matches. */
  readonly match: (pattern: string) => Promise<Uint8Array>;
  /** Why a pattern was refused; null where the question is outdated. */
  readonly explain: (error: unknown) => string | null;
  readonly sums: (functions: Int32Array) => Promise<SelectionSums>;
  /** In samples, row by row as the table's own stats. */
  readonly sampleCounts: () => Promise<FunctionStats>;
  /** Places in the order of a text, by function. */
  readonly ranks: (by: 'name' | 'module' | 'source') => Promise<Int32Array>;
  /** Lines at the head of an export: what its numbers are of. */
  readonly notes: () => Promise<readonly string[]>;
}
