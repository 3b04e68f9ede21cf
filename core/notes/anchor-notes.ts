import type { NamedFunctions } from '../analyze/function-ref.ts';
import type { CallTree } from '../analyze/view/stack-view.ts';
import type { NoteAnchor, PathAnchor } from '../contract/notes.ts';
import { notedFunctions, type NotedFunctions } from './match-noted.ts';

/** The profile view or comparison in which notes are located. */
export interface AnchorPlaces {
  readonly table: NamedFunctions;
  /** 1 for functions that are shown; null: all functions of the table are. */
  readonly live: Uint8Array | null;
  readonly tree: Pick<CallTree, 'length' | 'direction' | 'func' | 'parent' | 'depth' | 'end' | 'total'>;
  /** Returns the function as which a function is shown after transforms renamed or merged it; absent: itself. */
  readonly shownAs?: (func: number) => number;
}

/**
 * How well a note's anchor matches a profile or comparison.
 *
 * - `exact`: the whole path, or the function, exists, or the note refers to a range or the whole.
 * - `moved`: the path exists under other callers, or is part of the note's path (a focused view).
 * - `function`: the note's path does not exist, but its function does; also for a path of the other direction.
 * - `orphaned`: nothing of it exists.
 */
export type NoteFit = 'exact' | 'moved' | 'function' | 'orphaned';

export interface AnchoredNote {
  readonly fit: NoteFit;
  /** Call tree rows, heaviest first; empty if the note refers to a function or its path does not exist. */
  readonly nodes: readonly number[];
  /** → table; empty if the note does not refer to a function, or is orphaned. */
  readonly funcs: readonly number[];
}

const EXACT: AnchoredNote = { fit: 'exact', nodes: [], funcs: [] };
const ORPHANED: AnchoredNote = { fit: 'orphaned', nodes: [], funcs: [] };

/** Locates notes in a profile or comparison by the matching rules of Compare, in the order of `anchors`. */
export function anchorNotes(anchors: readonly NoteAnchor[], places: AnchorPlaces): AnchoredNote[] {
  // What transforms renamed or joined occurs under another name.
  const functions = notedFunctions(places.table, places.shownAs === undefined ? places.live : null);
  return anchors.map((anchor) => {
    const target = anchor.kind === 'delta' ? anchor.of : anchor;
    switch (target.kind) {
      case 'function': {
        const funcs = shownFunctions(functions.find(target.func), places);
        return funcs.length === 0 ? ORPHANED : { fit: 'exact', nodes: [], funcs };
      }
      case 'path':
        return anchorPath(target, functions, places);
      default:
        return EXACT;
    }
  });
}

const shownFunctions = (found: readonly number[], { shownAs = (func) => func, live }: AnchorPlaces): number[] =>
  [...new Set(found.map(shownAs))].filter((func) => live === null || live[func] === 1);

function anchorPath({ direction, path }: PathAnchor, functions: NotedFunctions, places: AnchorPlaces): AnchoredNote {
  const steps = path.map((noted) => new Set(shownFunctions(functions.find(noted), places)));
  const own = steps.at(-1)!;
  if (own.size === 0) return ORPHANED;
  const funcs = [...own];
  // A frame of the other direction does not match: its path begins where this one ends.
  if (direction !== places.tree.direction) return { fit: 'function', nodes: [], funcs };
  const exact = follow(steps, places);
  if (exact !== null) return { fit: 'exact', nodes: [exact], funcs };
  const nodes = findTails(steps, places);
  return { fit: nodes.length > 0 ? 'moved' : 'function', nodes, funcs };
}

type Steps = readonly ReadonlySet<number>[];

/**
 * Returns the row at the end of the whole path from the root; if there are several, the heaviest at each step. Null if
 * there is none.
 */
function follow(steps: Steps, { tree, shownAs }: AnchorPlaces): number | null {
  let node = 0;
  for (const step of steps) {
    let heaviest = -1;
    for (let child = node + 1; child < tree.end[node]!; child = tree.end[child]!) {
      if (step.has(tree.func[child]!) && (heaviest < 0 || tree.total[child]! > tree.total[heaviest]!)) heaviest = child;
    }
    if (heaviest >= 0) node = heaviest;
    // Frames that transforms merged.
    else if (shownAs === undefined || !step.has(tree.func[node]!)) return null;
  }
  return node === 0 ? null : node;
}

/** If a note has more places, they are not marked, and its function is annotated instead. */
const MAX_PLACES = 5;

/**
 * Returns the rows whose path from the root ends like the note's, over the whole length of the shorter path: a focused
 * view starts in the middle of a note's path, and a note made in one matches the end of a longer path. Only those with
 * the longest match, heaviest first.
 */
function findTails(steps: Steps, { tree }: AnchorPlaces): number[] {
  const own = steps.at(-1)!;
  // One frame in common says little, unless it is all of the view or of the note.
  const isOneRoot = tree.length > 1 && tree.end[1] === tree.length;
  let longest = isOneRoot ? 1 : Math.min(2, steps.length);
  let found: number[] = [];
  for (let node = 1; node < tree.length; node++) {
    if (!own.has(tree.func[node]!)) continue;
    const length = tailLength(node, steps, tree);
    if (length < longest) continue;
    if (length > longest) found = [];
    longest = length;
    found.push(node);
  }
  return found.sort((a, b) => tree.total[b]! - tree.total[a]!).slice(0, MAX_PLACES);
}

/**
 * Returns the number of frames that a row's path and a note's share at their ends if that covers the shorter one;
 * otherwise 0.
 */
function tailLength(node: number, steps: Steps, tree: AnchorPlaces['tree']): number {
  let length = 0;
  for (let at = node; at > 0 && length < steps.length; at = tree.parent[at]!) {
    if (!steps[steps.length - 1 - length]!.has(tree.func[at]!)) return 0;
    length += 1;
  }
  return length;
}
