import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { sampleWeights } from '#core/model/weights.ts';

/**
 * Self and total weight per function name, and weight per folded stack, straight from the samples: slow, simple, and independent of
 * core/analyze, so that importers are compared with reference tools by their own numbers. A function counts once per stack. `rename`: to
 * what the reference tool calls functions.
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
