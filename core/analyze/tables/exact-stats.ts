import type { ResolvedTransforms } from '../view/transforms.ts';
import type { Profile } from '../../model/profile.ts';
import type { ValueTypeIndex } from '../../model/brand.ts';
import type { Selection, StackView } from '../view/stack-view.ts';
import { functionStats } from './function-stats.ts';
import { buildStackView, wholeProfile } from '../view/build-stack-view.ts';
import { selectedWeights } from '../view/selected-weights.ts';

/**
 * Weights are split at this power of two, so that either half of an integer up to 2^53, times 2^26 samples, stays
 * exact.
 */
const SPLIT = 2 ** 27;

/** Exact sums of integer weights that may exceed 2^53. */
interface ExactStats {
  readonly total: bigint;
  /** By function index. */
  readonly byFunction: ReadonlyMap<number, { readonly self: bigint; readonly total: bigint }>;
}

/**
 * Returns whether sums of these weights are exact as numbers: either they stay below 2^53, or the weights are not
 * integers anyway.
 */
export function sumsAreExact(weights: Float64Array): boolean {
  let size = 0;
  for (const weight of weights) {
    if (!Number.isInteger(weight)) return true;
    size += Math.abs(weight);
  }
  return size <= Number.MAX_SAFE_INTEGER;
}

/**
 * Returns a view's function statistics with exact sums, by summing the high and the low halves of the weights
 * separately.
 */
export function exactFunctionStats(
  profile: Profile,
  selection: Selection,
  transforms: ResolvedTransforms | null,
): ExactStats {
  const { weights } = selectedWeights(profile, selection);
  const low = weights.map((weight) => weight % SPLIT);
  const high = weights.map((weight, sample) => (weight - low[sample]!) / SPLIT);
  let total = 0n;
  const byFunction = new Map<number, { self: bigint; total: bigint }>();
  for (const [half, scale] of [
    [high, BigInt(SPLIT)],
    [low, 1n],
  ] as const) {
    const view = viewHalf(profile, half, transforms);
    const stats = functionStats(view);
    total += BigInt(view.total) * scale;
    for (let row = 0; row < stats.length; row++) {
      const sums = byFunction.get(stats.func[row]!) ?? { self: 0n, total: 0n };
      byFunction.set(stats.func[row]!, {
        self: sums.self + BigInt(stats.self[row]!) * scale,
        total: sums.total + BigInt(stats.total[row]!) * scale,
      });
    }
  }
  return { total, byFunction };
}

function viewHalf(profile: Profile, weights: Float64Array, transforms: ResolvedTransforms | null): StackView {
  const half: Profile = {
    ...profile,
    samples: { ...profile.samples, weights: [weights] },
    valueTypes: [{ type: 'half', unit: 'count', event: -1, column: 0 }],
  };
  return buildStackView(half, wholeProfile(half, 0 as ValueTypeIndex), transforms);
}
