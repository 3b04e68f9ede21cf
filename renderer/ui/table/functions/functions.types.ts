import type { TableLayout } from '#core/contract/settings-schema.ts';
import type { SelectionSums } from '#core/analyze/tables/selection-sums.ts';
import type { FunctionStats } from '#core/analyze/view/stack-view.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { ViewPoint } from '../../flame/graph.types.ts';
import type { ShortcutId } from '../../keys/shortcuts.ts';
import type { TableFormat } from '../format.ts';
import type { CopyForm, FunctionTexts, ShownTable, SortOrder } from '../table.types.ts';
import type { TableGrowth } from './columns.ts';
import type { TablesDisplay } from '../tables-display.ts';

export interface FunctionTableProps {
  /** True uses columns so narrow that function, self and total fit next to a graph, in about 510 px. */
  readonly narrow?: boolean;
  /** Stays the same object while the profile only grows; see `useAnswer`. */
  readonly lineage?: object | null;
  /**
   * Only for a live profile, whose rows keep their places while the pointer is over them; keep its identity while it is
   * unchanged.
   */
  readonly growth?: TableGrowth | null;
  /** Keep the identity of `stats`, `texts` and `format` while they are unchanged. */
  readonly stats: FunctionStats;
  readonly texts: FunctionTexts;
  /** Weight of the whole view, shown as 100 %. */
  readonly totalWeight: number;
  /** See `absoluteTotal`; absent if it is not known. */
  readonly absoluteWeight?: number;
  /** The part of the weight that belongs to no function. */
  readonly withoutStack: number;
  readonly format: TableFormat;
  /** By function: 1 if the search matches, else 0; null without a search. */
  readonly matches: Uint8Array | null;
  readonly selected: FunctionIndex | null;
  readonly onSelect: (func: FunctionIndex) => void;
  readonly onActivate?: (func: FunctionIndex) => void;
  /** Called on a middle-click or Ctrl-click. */
  readonly onOpenNew?: ((func: FunctionIndex) => void) | undefined;
  readonly onContextMenu?: (func: FunctionIndex, point: ViewPoint) => void;
  readonly look: TablesDisplay;
  readonly onLook: (change: Partial<TablesDisplay>) => void;
  /** Sort order if the user has chosen none. */
  readonly ownSort: SortOrder;
  readonly layout: TableLayout;
  readonly onLayout: (layout: TableLayout) => void;
  readonly requests: FunctionRequests;
  readonly onCopy: (tsv: string) => void;
  /** Copies rows as they are on screen; absent in reports. */
  readonly onCopyAs?: (form: CopyForm, table: ShownTable) => void;
  /** Called for keys that transform the view, for the selected row. */
  readonly onCommand: (id: ShortcutId) => void;
  readonly onExport: (csv: string) => void;
}

/** The table's requests about stacks. Keep its identity while the view is unchanged. */
export interface FunctionRequests {
  /** Returns 1 for each function whose name matches, else 0. */
  readonly match: (pattern: string) => Promise<Uint8Array>;
  /** Returns why a pattern was refused; null if the question is outdated. */
  readonly explain: (error: unknown) => string | null;
  readonly sums: (functions: Int32Array) => Promise<SelectionSums>;
  /** Returns counts in samples, in the order of the table's stats. */
  readonly sampleCounts: () => Promise<FunctionStats>;
  /** Returns each function's rank when sorted by a text. */
  readonly ranks: (by: 'name' | 'module' | 'source') => Promise<Int32Array>;
  /** Returns the lines at the head of an export, which say what its numbers describe. */
  readonly notes: () => Promise<readonly string[]>;
}
