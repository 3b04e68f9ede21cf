import type { SortOrder } from './table.types.ts';

/** What the user looks for in the tables of one view. */
export interface TablesLook {
  /** Of function names. */
  readonly pattern: string;
  /** Names with folders. */
  readonly hiddenModules: readonly string[];
  /** Null: as the value type suggests. */
  readonly functionSort: SortOrder | null;
  /** Null: heaviest first. */
  readonly treeSort: SortOrder | null;
}

export const INITIAL_TABLES_LOOK: TablesLook = {
  pattern: '',
  hiddenModules: [],
  functionSort: null,
  treeSort: null,
};
