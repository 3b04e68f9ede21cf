import type { FunctionIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { sampleWeights } from '#core/model/weights.ts';

const MAX_FUNCTIONS = 500;

/** Of all: rows of stacks that weigh less are left out, which is nearly all of them in large profiles. */
const LEAST_SHARE = 1 / 2000;

/**
 * The functions with the greatest total by the profile's own value type, of all samples, the first of these first. Rough: calls that weigh
 * little do not count, and where functions recur, a stack counts again for calls with others between.
 */
export function heaviestFunctions(profile: Profile): FunctionIndex[] {
  const { samples, stacks, frames, functions, metadata } = profile;
  const weights = sampleWeights(profile, metadata.defaultValueType);
  const through = new Float64Array(stacks.length);
  let total = 0;
  for (let sample = 0; sample < samples.length; sample++) {
    const row = samples.stack[sample]!;
    if (row < 0) continue;
    through[row]! += weights[sample]!;
    total += weights[sample]!;
  }
  const weight = new Float64Array(functions.length);
  // A caller's row comes before those of what it calls.
  for (let row = stacks.length - 1; row >= 0; row--) {
    const own = through[row]!;
    const parent = stacks.parent[row]!;
    if (parent >= 0) through[parent]! += own;
    if (own < total * LEAST_SHARE) continue;
    const func = frames.func[stacks.frame[row]!]!;
    if (parent < 0 || frames.func[stacks.frame[parent]!] !== func) weight[func]! += own;
  }
  const least = weight.slice().sort().at(-MAX_FUNCTIONS) ?? 0;
  const heavy: FunctionIndex[] = [];
  for (let func = 0; func < weight.length; func++) {
    if (weight[func]! > 0 && weight[func]! >= least) heavy.push(func as FunctionIndex);
  }
  return heavy.sort((a, b) => weight[b]! - weight[a]! || a - b).slice(0, MAX_FUNCTIONS);
}
