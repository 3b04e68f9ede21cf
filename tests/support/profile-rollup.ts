import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { sampleWeights } from '#core/model/weights.ts';

/**
 * Weights by function name (self and total) and by folded stack, summed straight from the samples. The sums do not use
 * core/analyze, so that the importers' own numbers are compared with those of reference tools. A function counts once
 * per stack. `rename` gives the reference tool's name of a function.
 */
export interface Rollup {
  readonly sum: number;
  readonly self: ReadonlyMap<string, number>;
  readonly total: ReadonlyMap<string, number>;
  readonly folded: ReadonlyMap<string, number>;
}

export function rollUp(profile: Profile, valueType: number, rename = (name: string): string => name): Rollup {
  const weights = sampleWeights(profile, valueType as ValueTypeIndex);
  const byStack = new Map<number, number>();
  for (let row = 0; row < weights.length; row++) {
    const stack = profile.samples.stack[row]!;
    byStack.set(stack, (byStack.get(stack) ?? 0) + weights[row]!);
  }
  const rollup = {
    sum: 0,
    self: new Map<string, number>(),
    total: new Map<string, number>(),
    folded: new Map<string, number>(),
  };
  const add = (map: Map<string, number>, key: string, weight: number): void =>
    void map.set(key, (map.get(key) ?? 0) + weight);
  for (const [stack, weight] of byStack) {
    const names = namesRootFirst(profile, stack).map(rename);
    rollup.sum += weight;
    add(rollup.folded, names.join(';'), weight);
    if (names.length > 0) add(rollup.self, names.at(-1)!, weight);
    for (const name of new Set(names)) add(rollup.total, name, weight);
  }
  return rollup;
}

export function namesRootFirst(profile: Profile, stack: number): string[] {
  const names: string[] = [];
  for (let row = stack; row >= 0; row = profile.stacks.parent[row]!) {
    names.push(profile.strings[profile.functions.name[profile.frames.func[profile.stacks.frame[row]!]!]!]!);
  }
  return names.reverse();
}
