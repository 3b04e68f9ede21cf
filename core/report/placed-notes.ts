import type { NamedFunctions } from '../analyze/function-ref.ts';
import type { CallTree } from '../analyze/view/stack-view.ts';
import type { ReportNote } from '../contract/report/report.ts';
import { anchorNotes, type NoteFit } from '../notes/anchor-notes.ts';
import { orderNotes } from '../notes/order-notes.ts';

/** A note of a report with the number on its pins. */
export interface NumberedNote extends ReportNote {
  readonly number: number;
}

/** Returns the notes, oldest first, numbered from 1 over all captures and the comparison. */
export function numberedNotes(notes: readonly ReportNote[]): NumberedNote[] {
  const byNote = new Map(notes.map((one) => [one.note, one]));
  return orderNotes(notes.map(({ note }) => note)).map((note, place) => ({ ...byNote.get(note)!, number: place + 1 }));
}

/** Numbers of the notes at frames and functions of one tree. */
export interface TreePins {
  /** Notes at a frame: those of its path, and those of its function at the function's heaviest frame. */
  readonly atNode: (node: number) => readonly number[];
  /** Notes at a function: its own, and those of its frames. */
  readonly atFunction: (func: number) => readonly number[];
  readonly fits: ReadonlyMap<number, NoteFit>;
  /** By the note's number: the place of its pin in the tree. */
  readonly places: ReadonlyMap<number, { readonly node: number; readonly func: number }>;
}

/** Returns the pins of one tree. `on` selects the notes: the id of a capture, or null for the comparison. */
export function treePins(
  notes: readonly NumberedNote[],
  on: string | null,
  table: NamedFunctions,
  tree: CallTree,
): TreePins {
  const own = notes.filter((one) => one.on === on);
  const nodes = new Map<number, number[]>();
  const functions = new Map<number, number[]>();
  const fits = new Map<number, NoteFit>();
  const found = new Map<number, { node: number; func: number }>();
  const anchored = anchorNotes(
    own.map(({ note }) => note.anchor),
    { table, live: liveFunctions(table, tree), tree },
  );
  anchored.forEach(({ fit, nodes: places, funcs }, place) => {
    const { number } = own[place]!;
    fits.set(number, fit);
    for (const func of funcs) add(functions, func, number);
    const [node] = places.length > 0 ? places : funcs.flatMap((func) => heaviestNode(tree, func) ?? []);
    if (node === undefined) return;
    add(nodes, node, number);
    found.set(number, { node, func: tree.func[node]! });
  });
  return {
    atNode: (node) => nodes.get(node) ?? [],
    atFunction: (func) => functions.get(func) ?? [],
    fits,
    places: found,
  };
}

function add(pins: Map<number, number[]>, at: number, number: number): void {
  pins.set(at, [...(pins.get(at) ?? []), number]);
}

function liveFunctions({ functions }: NamedFunctions, { length, func }: CallTree): Uint8Array {
  const live = new Uint8Array(functions.length);
  for (let node = 1; node < length; node++) live[func[node]!] = 1;
  return live;
}

function heaviestNode({ length, func, total }: CallTree, wanted: number): number | null {
  let best = -1;
  for (let node = 1; node < length; node++) {
    if (func[node] === wanted && (best < 0 || total[node]! > total[best]!)) best = node;
  }
  return best < 0 ? null : best;
}
