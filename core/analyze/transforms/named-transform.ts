import type { CodeKind } from '../code-kind.ts';
import type { CallTree } from '../view/stack-view.ts';
import { functionRef, type FunctionRef } from '../function-ref.ts';
import type { Profile } from '../../model/profile.ts';

/** A user's regular expression; see `compilePattern`. */
export interface Pattern {
  readonly pattern: string;
  readonly ignoreCase: boolean;
}

/** Functions that a transform is about. */
export type FunctionTarget =
  | { readonly by: 'function'; readonly func: FunctionRef }
  | { readonly by: 'module'; readonly module: string }
  /** others: all code but that of the kind. */
  | { readonly by: 'kind'; readonly code: CodeKind; readonly others: boolean }
  | ({ readonly by: 'pattern' } & Pattern);

/** A node of a call tree, whatever its row: `root`: the path leads to it root first; `leaf`: leaf first, as in a bottom-up tree. */
export interface PathTarget<From extends 'root' | 'leaf' = 'root' | 'leaf'> {
  readonly by: 'path';
  readonly from: From;
  readonly path: readonly FunctionRef[];
}

/**
 * A transform as it is kept, shown as a chip and named in exports: names and patterns, no indices, so that it fits any profile. Plain
 * JSON. Names and patterns are of the functions as the transforms before it leave them (renamed, collapsed).
 */
export type NamedTransform = { readonly enabled: boolean } & (
  | {
      /**
       * focus: only stacks that hold the function, re-rooted at its outermost occurrence; of a path: only its subtree, re-rooted there (from the
       * leaf: stacks that end in the path, cut after its last function).
       * hide: drops the stacks that hold the function or go through the path.
       */
      readonly kind: 'focus' | 'hide';
      readonly on: FunctionTarget | PathTarget;
    }
  /** Takes frames out: callees attach to the caller, self weight goes to the caller. */
  | { readonly kind: 'merge'; readonly on: FunctionTarget | PathTarget<'root'> }
  /** Drops the stacks that don't hold the function. */
  | { readonly kind: 'drop-without'; readonly on: FunctionTarget }
  /** Drops the stacks that don't end in the function: what is left is its self weight, and who called it. */
  | { readonly kind: 'focus-self'; readonly on: FunctionTarget }
  /** Leaves only the function's frames; stacks without one are dropped. */
  | { readonly kind: 'show'; readonly on: FunctionTarget }
  /** What the function calls folds into it. */
  | { readonly kind: 'collapse-subtree'; readonly on: FunctionTarget }
  /**
   * Calls of a function that is on the stack already fold into the outer call; frames between the two go. Each function on its own.
   * direct: only calls of itself, with no frame between.
   */
  | {
      readonly kind: 'collapse-recursion';
      readonly on: FunctionTarget | { readonly by: 'all' };
      readonly direct: boolean;
    }
  /** Consecutive frames of the module become one frame named as the module; null: of every module that has a name. */
  | { readonly kind: 'collapse-module'; readonly module: string | null }
  /** Consecutive frames that match become one frame named `label`, or as the pattern where that is empty. */
  | ({ readonly kind: 'collapse-path'; readonly label: string } & Pattern)
  /**
   * Replaces every match in a function's name (`$1`, `$<name>`: groups). What it names is one with all functions of that name in the
   * same module.
   */
  | ({ readonly kind: 'rename'; readonly replacement: string } & Pattern)
);

/** Where a node of a call tree is; `profile`: the tree's view's. Null for the root, which needs no path. */
export function pathTarget(profile: Profile, tree: CallTree, node: number): PathTarget | null {
  if (node === 0) return null;
  const path: FunctionRef[] = [];
  for (let at = node; at > 0; at = tree.parent[at]!) path.push(functionRef(profile, tree.func[at]!));
  return { by: 'path', from: tree.direction === 'top-down' ? 'root' : 'leaf', path: path.reverse() };
}
