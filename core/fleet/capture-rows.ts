import { countModel } from '../compare/measure/value-types.ts';
import type { ValueTypeIndex } from '../model/brand.ts';
import { functionFacts } from '../model/function-facts.ts';
import type { FunctionKind, Profile } from '../model/profile.ts';
import { samplesPerRow } from '../model/sample-counts.ts';
import { sampleWeights } from '../model/weights.ts';

/** A function as the fleet's dictionary has it; `id` is the hash of its other fields. */
export interface FleetFrame {
  readonly id: bigint;
  readonly func: string;
  readonly module: string;
  readonly file: string;
  /** First line of the function; 0 if unknown. */
  readonly line: number;
  readonly kind: FunctionKind;
}

/** A stack by functions, root first; `id` is the hash of `frames`. */
export interface FleetStack {
  readonly id: bigint;
  readonly frames: readonly bigint[];
}

/** The id of the empty stack, that of samples without one. */
export const EMPTY_STACK = 0n;

/** All samples of a capture with one thread name, stack and value type. */
export interface FleetSample {
  readonly type: string;
  readonly unit: string;
  readonly thread: string;
  readonly stack: bigint;
  readonly weight: number;
  readonly samples: number;
}

/** A capture's sum in one value type. */
export interface FleetTotal {
  readonly type: string;
  readonly unit: string;
  readonly weight: number;
  readonly samples: number;
  /** Weight of one independent observation, by which the sampling variance is known; null if weights are not counts. */
  readonly period: number | null;
}

/** What a fleet stores of a profile. */
export interface CaptureRows {
  readonly frames: readonly FleetFrame[];
  readonly stacks: readonly FleetStack[];
  readonly samples: readonly FleetSample[];
  readonly totals: readonly FleetTotal[];
}

/** Returns 64 bits of a hash; equal texts have equal hashes on every machine. */
export type Hash = (text: string) => bigint;

/**
 * Returns a profile's samples merged by thread name, stack and value type. Stacks are by function: times, addresses,
 * executing lines, CPUs, labels of samples and ids of threads are left out. Rows without weight are left out.
 */
export function captureRows(profile: Profile, hash: Hash): CaptureRows {
  const stackIds = hashStacks(profile, hash);
  const { samples, threads, strings, valueTypes } = profile;
  const rows: FleetSample[] = [];
  const totals: FleetTotal[] = [];
  const used = new Set<number>();
  for (const [place, { type, unit }] of valueTypes.entries()) {
    const valueType = place as ValueTypeIndex;
    const weights = sampleWeights(profile, valueType);
    const counts = samplesPerRow(profile, valueType);
    const merged = new Map<string, { thread: string; stack: bigint; weight: number; samples: number }>();
    const total = { weight: 0, samples: 0, squares: 0, absolute: 0 };
    for (let row = 0; row < samples.length; row++) {
      const weight = weights[row]!;
      if (weight === 0) continue;
      const leaf = samples.stack[row]!;
      if (leaf >= 0) used.add(leaf);
      const stack = leaf < 0 ? EMPTY_STACK : stackIds.of(leaf);
      const name = threads.name[samples.thread[row]!]!;
      const key = `${name} ${stack}`;
      let sum = merged.get(key);
      if (sum === undefined) merged.set(key, (sum = { thread: strings[name]!, stack, weight: 0, samples: 0 }));
      const count = counts?.[row] ?? 1;
      sum.weight += weight;
      sum.samples += count;
      total.weight += weight;
      total.samples += count;
      total.squares += weight ** 2;
      total.absolute += Math.abs(weight);
    }
    for (const sum of merged.values()) rows.push({ type, unit, ...sum });
    const model = countModel(profile, valueType, weights);
    const period =
      model === null || total.absolute === 0
        ? null
        : model.kind === 'unit'
          ? model.weight
          : total.squares / total.absolute;
    totals.push({ type, unit, weight: total.weight, samples: total.samples, period });
  }
  return { ...stackIds.dictionary(used), samples: rows, totals };
}

/** Hashes stacks on demand, because many rows of a stack table are only prefixes. */
function hashStacks(profile: Profile, hash: Hash) {
  const { functions, frames, stacks } = profile;
  const frameIds = Array.from<bigint | undefined>({ length: functions.length });
  const idOf = (func: number): bigint => {
    const { name, module, file, line, kind } = functionFacts(profile, func);
    return (frameIds[func] ??= hash(JSON.stringify([name, module, file, line, kind])));
  };
  const functionsOf = (leaf: number): number[] => {
    const path: number[] = [];
    for (let row = leaf; row >= 0; row = stacks.parent[row]!) path.push(frames.func[stacks.frame[row]!]!);
    return path.reverse();
  };
  const known = new Map<number, bigint>();
  const of = (leaf: number): bigint => {
    let id = known.get(leaf);
    if (id === undefined) known.set(leaf, (id = hash(functionsOf(leaf).map(idOf).join(' '))));
    return id;
  };
  return {
    of,
    dictionary(leaves: ReadonlySet<number>): Pick<CaptureRows, 'frames' | 'stacks'> {
      const byId = { frames: new Map<bigint, FleetFrame>(), stacks: new Map<bigint, FleetStack>() };
      for (const leaf of leaves) {
        const id = of(leaf);
        if (byId.stacks.has(id)) continue;
        const path = functionsOf(leaf);
        byId.stacks.set(id, { id, frames: path.map(idOf) });
        for (const row of path) {
          const { name: func, ...facts } = functionFacts(profile, row);
          byId.frames.set(idOf(row), { id: idOf(row), func, ...facts });
        }
      }
      return { frames: [...byId.frames.values()], stacks: [...byId.stacks.values()] };
    },
  };
}
