import type { FunctionTable } from '../../model/profile.ts';
import { movePath, type PathStep } from './move-paths.ts';
import { collapseRuns, moveRows, renameRows, TO_ROOT, type SetKind } from './move-rows.ts';
import { RowTable } from './row-table.ts';
import type { SampleStep } from './selected-weights.ts';
import { spreadToCallers, type WeightedRows } from './weighted-rows.ts';

/** A transform of a set of functions. */
export interface SetTransform {
  readonly kind: SetKind;
  /** 1 per chosen function. */
  readonly chosen: Uint8Array;
}

/**
 * Replaces functions by functions. In `collapse-run`, −1 leaves a function unchanged, and consecutive frames that
 * become the same function are merged.
 */
export interface MapStep {
  readonly kind: 'rename' | 'collapse-run';
  /** → functions, by function. */
  readonly to: Int32Array;
}

/** A transform's effect on rows, once its functions are known. */
export type RowStep = SetTransform | MapStep | PathStep;
export type TransformStep = RowStep | SampleStep;

/** Transforms whose functions were resolved in one profile (`resolveTransforms`), with the functions that they made. */
export interface ResolvedTransforms {
  /** The table for which they were resolved. */
  readonly base: FunctionTable;
  /**
   * The profile's strings and functions, followed by those that the transforms made. If they made none, the profile's
   * own.
   */
  readonly strings: readonly string[];
  readonly functions: FunctionTable;
  /** By transform; null if it is disabled, or was applied when the profile was read. */
  readonly steps: readonly (TransformStep | null)[];
  /**
   * By transform: number of functions found that preceding ones neither hide nor remove; for a path, its places that
   * have a function; for a rename, functions that got another name; for a label filter, samples; for label frames,
   * values; for a granularity, rows; without inlined functions, their frames. 0: it does nothing here, or hides
   * everything. null: disabled.
   */
  readonly found: readonly (number | null)[];
}

export interface MovedRows {
  /** May contain rows without any samples left; {@link dropEmptyRows} removes them. */
  readonly rows: WeightedRows;
  /** Target of each old row's own samples: a row, `TO_ROOT` or `TO_HIDDEN`. */
  readonly target: Int32Array;
  /** Weight that the transform hides. */
  readonly hidden: number;
  /** Whether samples without a stack are hidden, too. */
  readonly hidesRoot: boolean;
}

/** Transforms that keep only stacks with a match, and therefore hide samples without a stack. */
const HIDES_ROOT: ReadonlySet<TransformStep['kind']> = new Set([
  'focus',
  'focus-self',
  'focus-path',
  'drop-without',
  'show',
]);

/** Applies one transform. `table` receives the new rows; it must be empty and as large as the rows. */
export function applyTransform(
  rows: WeightedRows,
  step: RowStep,
  table: RowTable = new RowTable(rows.length),
): MovedRows {
  const target = fillTable(rows, step, table);
  const hidesRoot = HIDES_ROOT.has(step.kind);
  const self = new Float64Array(table.length);
  const count = new Float64Array(table.length);
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

function fillTable(rows: WeightedRows, step: RowStep, table: RowTable): Int32Array {
  if ('chosen' in step) return moveRows[step.kind](rows, step.chosen, table);
  if ('path' in step) return movePath(rows, step, table);
  return step.kind === 'rename' ? renameRows(rows, step.to, table) : collapseRuns(rows, step.to, table);
}

/** Removes the rows without any samples. `moved` holds the new index of the others; null if all rows stayed. */
export function dropEmptyRows(rows: WeightedRows): { rows: WeightedRows; moved: Int32Array | null } {
  const live = Uint8Array.from(rows.count, (count) => (count === 0 ? 0 : 1));
  const length = spreadToCallers(live, rows.parent);
  if (length === rows.length) return { rows, moved: null };
  const parent = new Int32Array(length);
  const func = new Int32Array(length);
  const self = new Float64Array(length);
  const count = new Float64Array(length);
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
