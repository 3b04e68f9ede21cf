import { joinColumns } from '../../model/intern/column.ts';
import { hashStack, StackRows } from '../../model/intern/stack-rows.ts';
import { FunctionKind, NO_ADDRESS, type Label, type Profile } from '../../model/profile.ts';
import { pprofValue } from '../../units/pprof-format.ts';
import { appendFunctions, type MadeFunction } from '../made-functions.ts';
import { labelsOf } from './labels.ts';

/** Returns the name of the frame for samples without the label. */
const noLabel = (key: string): string => `(no ${key})`;

/**
 * Adds frames named by labels' values to the stacks: `roots` at the root, the first key outermost; `leaves` at the
 * leaf, the last key innermost. Samples without the label get `(no KEY)`. Like pprof's `-tagroot` and `-tagleaf`.
 */
export function addLabelFrames(profile: Profile, roots: readonly string[], leaves: readonly string[]): Profile {
  if (roots.length + leaves.length === 0) return profile;
  const { samples, stacks, frames } = profile;
  const made = new LabelFrames(profile);
  const rows = new StackRows();
  const add = (parent: number, frame: number): number =>
    rows.intern(parent, frame, hashStack(rows.hashOf(parent), frame));
  const addAll = (parent: number, set: number, keys: readonly string[]): number =>
    keys.reduce((row, key) => add(row, made.frameOf(set, key)), parent);
  /** New row of each original row below the roots of a class of label sets, by class × rows + row. */
  const moved = new Map<number, number>();
  const pathOf: number[] = [];
  const stack = Int32Array.from({ length: samples.length }, (_, sample) => {
    const set = samples.labelSet?.[sample] ?? -1;
    const first = made.classOf(set, roots) * stacks.length;
    let row = samples.stack[sample]!;
    for (; row >= 0 && !moved.has(first + row); row = stacks.parent[row]!) pathOf.push(row);
    let parent = row < 0 ? addAll(-1, set, roots) : moved.get(first + row)!;
    while (pathOf.length > 0) {
      const next = pathOf.pop()!;
      parent = add(parent, stacks.frame[next]!);
      moved.set(first + next, parent);
    }
    return addAll(parent, set, leaves);
  });
  const { length } = rows;
  const functions = made.finish();
  const added = functions.functions.length - profile.functions.length;
  return {
    ...profile,
    ...functions,
    frames: {
      length: frames.length + added,
      func: joinColumns(
        frames.func,
        Array.from({ length: added }, (_, row) => profile.functions.length + row),
      ),
      address: frames.address && joinColumns(frames.address, new BigUint64Array(added).fill(NO_ADDRESS)),
      line: frames.line && joinColumns(frames.line, new Int32Array(added)),
      inline: joinColumns(frames.inline, new Uint8Array(added)),
    },
    stacks: { length, ...rows.finish() },
    samples: { ...samples, stack },
  };
}

/** The functions made from label values, each with one frame. */
class LabelFrames {
  readonly #profile: Profile;
  readonly #made: MadeFunction[] = [];
  readonly #rows = new Map<string, number>();
  readonly #classes = new Map<string, number>();

  constructor(profile: Profile) {
    this.#profile = profile;
  }

  frameOf(set: number, key: string): number {
    const name = this.#textOf(set, key);
    const id = `${key}\0${name}`;
    const known = this.#rows.get(id);
    if (known !== undefined) return known;
    const row = this.#profile.frames.length + this.#made.length;
    this.#made.push({ name, module: '', file: key, line: 0, kind: FunctionKind.synthetic });
    this.#rows.set(id, row);
    return row;
  }

  /** Returns the same number for label sets that agree on the values of `keys`. */
  classOf(set: number, keys: readonly string[]): number {
    const id = keys.map((key) => this.#textOf(set, key)).join('\0');
    const known = this.#classes.get(id) ?? this.#classes.size;
    this.#classes.set(id, known);
    return known;
  }

  finish(): Pick<Profile, 'strings' | 'functions'> {
    return appendFunctions(this.#profile, this.#made);
  }

  /** Joins text values first, then numbers, like pprof. */
  #textOf(set: number, key: string): string {
    const labels = set < 0 ? [] : labelsOf(this.#profile.samples.labelSets[set]!, key);
    const texts = labels.flatMap((label) => ('text' in label ? [label.text] : []));
    const numbers = labels.flatMap((label) => ('number' in label ? [numberText(label)] : []));
    return labels.length === 0 ? noLabel(key) : [...texts, ...numbers].join(',');
  }
}

const numberText = ({ number, unit }: Extract<Label, { number: number }>): string => pprofValue(number, unit);
