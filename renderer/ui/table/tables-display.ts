import type { SortOrder } from './table.types.ts';

/** Display options of the tables of one view. */
export interface TablesDisplay {
  /** Pattern of function names. */
  readonly pattern: string;
  /** Module names with folders. */
  readonly hiddenModules: readonly string[];
  /** Null uses the default for the value type. */
  readonly functionSort: SortOrder | null;
  /** Null sorts by weight, heaviest first. */
  readonly treeSort: SortOrder | null;
}

export const INITIAL_TABLES_DISPLAY: TablesDisplay = {
  pattern: '',
  hiddenModules: [],
  functionSort: null,
  treeSort: null,
};
