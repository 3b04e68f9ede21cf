import type { FunctionTable } from '../../model/profile.ts';
import { movePath, type PathStep } from './move-paths.ts';
import { collapseRuns, moveRows, renameRows, TO_ROOT, type SetKind } from './move-rows.ts';
import { RowTable } from '../view/row-table.ts';
import { spreadToCallers, type WeightedRows } from '../view/weighted-rows.ts';

/** A transform of chosen functions: what holds of one holds of any of them. */
export interface SetTransform {
  readonly kind: SetKind;
  /** 1 per chosen function. */
  readonly chosen: Uint8Array;
}

/** Functions replaced by functions. In `collapse-run` −1 means "stays", and consecutive frames that become the same function become one. */
export interface MapStep {
  readonly kind: 'rename' | 'collapse-run';
  /** → functions, by function. */
  readonly to: Int32Array;
}

/** What one transform does to rows, once its functions are known. */
export type TransformStep = SetTransform | MapStep | PathStep;

/** Transforms whose functions were found in one profile (`resolveTransforms`), with the functions that they made. */
export interface ResolvedTransforms {
  /** The table that they were resolved for. */
  readonly base: FunctionTable;
  /** The profile's strings and functions, then those that the transforms made. The profile's own where they made none. */
  readonly strings: readonly string[];
  readonly functions: FunctionTable;
  /** By transform; null: switched off. */
  readonly steps: readonly (TransformStep | null)[];
  /**
   * By transform: functions that it found; of a path: places of it that have a function; of a rename: functions that got another name.
   * 0: it does nothing here, or hides everything. null: switched off.
   */
  readonly found: readonly (number | null)[];
}

export interface MovedRows {
  /** Rows that no sample goes through any more may remain; {@link dropEmptyRows} takes them out. */
  readonly rows: WeightedRows;
  /** Where each old row's own samples went: a row, `TO_ROOT` or `TO_HIDDEN`. */
  readonly target: Int32Array;
  /** The weight left out. */
  readonly hidden: number;
  /** Samples without a stack are left out too. */
  readonly hidesRoot: boolean;
}

/** What keeps the stacks that hold something: those without any frame hold nothing. */
const HIDES_ROOT: ReadonlySet<TransformStep['kind']> = new Set([
  'focus',
  'focus-self',
  'focus-path',
  'drop-without',
  'show',
]);

/** Applies one transform. `table`, empty and as large as the rows, takes the new ones. */
export function applyTransform(
  rows: WeightedRows,
  step: TransformStep,
  table: RowTable = new RowTable(rows.length),
): MovedRows {
  const target = fillTable(rows, step, table);
  const hidesRoot = HIDES_ROOT.has(step.kind);
  const self = new Float64Array(table.length);
  const count = new Int32Array(table.length);
  let withoutStack = hidesRoot ? 0 : rows.withoutStack;
  let withoutStackCount = hidesRoot ? 0 : rows.withoutStackCount;
  let hidden = hidesRoot ? rows.withoutStack : 0;
  for (let row = 0; row < rows.length; row++) {
    const moved = target[row]!;
    if (moved >= 0) {
      self[moved]! += rows.self[row]!;
      count[moved]! += rows.count[row]!;
    } else if (moved === TO_ROOT) {
      withoutStack += rows.self[row]!;
      withoutStackCount += rows.count[row]!;
    } else {
      hidden += rows.self[row]!;
    }
  }
  return { rows: { ...table.finish(), self, count, withoutStack, withoutStackCount }, target, hidden, hidesRoot };
}

function fillTable(rows: WeightedRows, step: TransformStep, table: RowTable): Int32Array {
  if ('chosen' in step) return moveRows[step.kind](rows, step.chosen, table);
  if ('path' in step) return movePath(rows, step, table);
  return step.kind === 'rename' ? renameRows(rows, step.to, table) : collapseRuns(rows, step.to, table);
}

/** Takes out the rows that no sample goes through. `moved`: where the others went; null: all stayed. */
export function dropEmptyRows(rows: WeightedRows): { rows: WeightedRows; moved: Int32Array | null } {
  const live = Uint8Array.from(rows.count, (count) => (count === 0 ? 0 : 1));
  const length = spreadToCallers(live, rows.parent);
  if (length === rows.length) return { rows, moved: null };
  const parent = new Int32Array(length);
  const func = new Int32Array(length);
  const self = new Float64Array(length);
  const count = new Int32Array(length);
  const moved = new Int32Array(rows.length);
  for (let row = 0, place = 0; row < rows.length; row++) {
    if (live[row] === 0) continue;
    parent[place] = rows.parent[row]! < 0 ? -1 : moved[rows.parent[row]!]!;
    func[place] = rows.func[row]!;
    self[place] = rows.self[row]!;
    count[place] = rows.count[row]!;
    moved[row] = place;
    place += 1;
  }
  return { rows: { ...rows, length, parent, func, self, count }, moved };
}
