import type { FunctionIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { sampleWeights } from '#core/model/weights.ts';

const MAX_FUNCTIONS = 500;

/** Of more samples this many are looked at: where there is one of them each so much weight. */
const MAX_STACKS = 2000;
/** Of all those: of stacks of 100,000 frames, the first ones have to do. */
const MAX_FRAMES = 4_000_000;

/**
 * The functions with the greatest total by the profile's own value type, the first of these first; of profiles with more than 2,000 samples
 * an estimate, off by some thousandths of the whole.
 */
export function heaviestFunctions(profile: Profile): FunctionIndex[] {
  const { samples, stacks, frames, functions, metadata } = profile;
  const weights = sampleWeights(profile, metadata.defaultValueType);
  const total = new Float64Array(functions.length);
  /** By function: the newest sample that has it, counted from 1. */
  const seenIn = new Int32Array(functions.length);
  let frameCount = 0;
  forEachOfWeight(weights, (sample, weight) => {
    if (frameCount > MAX_FRAMES) return;
    for (let row = samples.stack[sample]!; row >= 0; row = stacks.parent[row]!) {
      frameCount += 1;
      const func = frames.func[stacks.frame[row]!]!;
      if (seenIn[func] === sample + 1) continue;
      seenIn[func] = sample + 1;
      total[func]! += weight;
    }
  });
  const heavy: FunctionIndex[] = [];
  for (let func = 0; func < total.length; func++) if (total[func]! > 0) heavy.push(func as FunctionIndex);
  return heavy.sort((a, b) => total[b]! - total[a]! || a - b).slice(0, MAX_FUNCTIONS);
}

/** Samples and what they stand for. Of many, those at equal distances of weight: what is heavy is never missed. */
function forEachOfWeight(weights: Float64Array, visit: (sample: number, weight: number) => void): void {
  let whole = 0;
  for (const weight of weights) whole += Math.abs(weight);
  const distance = weights.length <= MAX_STACKS ? 0 : whole / MAX_STACKS;
  let passed = 0;
  let next = distance / 2;
  for (let sample = 0; sample < weights.length; sample++) {
    const weight = Math.abs(weights[sample]!);
    if (distance === 0) {
      visit(sample, weight);
      continue;
    }
    passed += weight;
    if (passed < next) continue;
    const points = Math.floor((passed - next) / distance) + 1;
    next += points * distance;
    visit(sample, points * distance);
  }
}
