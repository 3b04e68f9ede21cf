import type { CodeKind } from '../../model/code-kind.ts';
import type { FunctionRef } from '../function-ref.ts';
import type { Granularity } from '../reading/granularity.ts';
import type { LabelFilter } from '../reading/label-filter.ts';
import type { Pattern } from '../search.ts';

/** The functions that a transform applies to. */
export type FunctionTarget =
  | { readonly by: 'function'; readonly func: FunctionRef }
  | { readonly by: 'module'; readonly module: string }
  /** `others`: all code except this kind. */
  | { readonly by: 'kind'; readonly code: CodeKind; readonly others: boolean }
  | ({ readonly by: 'pattern' } & Pattern);

/**
 * A call tree node, identified by its path instead of its row. `root`: the path is root first; `leaf`: leaf first, as
 * in a bottom-up tree.
 */
export interface PathTarget<From extends 'root' | 'leaf' = 'root' | 'leaf'> {
  readonly by: 'path';
  readonly from: From;
  readonly path: readonly FunctionRef[];
}

/**
 * A transform that determines how samples are read: by label, or by what a function represents. These apply before all
 * other transforms, wherever they are in the list.
 */
export type ReadingTransform = { readonly enabled: boolean } &
  /** Keeps, or hides, the samples with a matching label. */
  (
    | { readonly kind: 'keep-label' | 'hide-label'; readonly filter: LabelFilter }
    /** Turns values into frames: at the root, the first transform's outermost; at the leaf, the last's innermost. */
    | { readonly kind: 'label-root' | 'label-leaf'; readonly key: string }
    /** What a function is; the last one counts. */
    | { readonly kind: 'granularity'; readonly rows: Granularity }
    /** Inlined functions count as the function that they were inlined into. */
    | { readonly kind: 'no-inlines' }
  );

/** Any transform: of stacks, or of how samples are read. */
export type NamedTransform = StackTransform | ReadingTransform;

const READING_KINDS: ReadonlySet<NamedTransform['kind']> = new Set<ReadingTransform['kind']>([
  'keep-label',
  'hide-label',
  'label-root',
  'label-leaf',
  'granularity',
  'no-inlines',
]);

export const isReading = (transform: NamedTransform): transform is ReadingTransform =>
  READING_KINDS.has(transform.kind);

/**
 * A transform as it is saved, shown as a chip and named in exports. It has names and patterns instead of indices, so
 * that it applies to any profile. Plain JSON. Names and patterns match the functions as preceding transforms leave them
 * (renamed, collapsed).
 */
export type StackTransform = { readonly enabled: boolean } & (
  | {
      /**
       * focus: keeps only stacks that contain the function, re-rooted at its outermost occurrence; for a path, only its
       * subtree, re-rooted there (from the leaf: stacks that end in the path, cut after its last function).
       * hide: drops the stacks that contain the function or go through the path.
       */
      readonly kind: 'focus' | 'hide';
      readonly on: FunctionTarget | PathTarget;
    }
  /** Removes frames: callees attach to the caller, self weight goes to the caller. */
  | { readonly kind: 'merge'; readonly on: FunctionTarget | PathTarget<'root'> }
  /** Drops the stacks that do not contain the function. */
  | { readonly kind: 'drop-without'; readonly on: FunctionTarget }
  /** Drops the stacks that do not end in the function, which leaves its self weight and its callers. */
  | { readonly kind: 'focus-self'; readonly on: FunctionTarget }
  /** Keeps only the function's frames and drops stacks without any. */
  | { readonly kind: 'show'; readonly on: FunctionTarget }
  /** Folds everything that the function calls into it. */
  | { readonly kind: 'collapse-subtree'; readonly on: FunctionTarget }
  /**
   * Folds calls of a function that is already on the stack into the outer call and removes the frames between them.
   * Applies to each function separately.
   * direct: folds only a function's calls to itself, without a frame between.
   */
  | {
      readonly kind: 'collapse-recursion';
      readonly on: FunctionTarget | { readonly by: 'all' };
      readonly direct: boolean;
    }
  /** Merges consecutive frames of the module into one frame with the module's name; null: of every named module. */
  | { readonly kind: 'collapse-module'; readonly module: string | null }
  /** Merges consecutive matching frames into one frame named `label`, or named as the pattern if `label` is empty. */
  | ({ readonly kind: 'collapse-path'; readonly label: string } & Pattern)
  /**
   * Replaces every match in a function's name (`$1`, `$<name>`: groups). Functions of the same module that end up with
   * the same name are merged.
   */
  | ({ readonly kind: 'rename'; readonly replacement: string } & Pattern)
);
