import type { FunctionIndex } from '../../model/brand.ts';
import type { NeighbourList } from '../tree/neighbours.ts';
import type { StackView } from '../view/stack-view.ts';

/**
 * Where the weight of a function is spent, its own and that of all it calls: what ends in each function, of the stacks that hold it. The
 * sum is the function's total. null: of all stacks that there are.
 */
export function leafWeights(
  { profile, length, parent, func, self }: StackView,
  of: FunctionIndex | null,
): NeighbourList {
  const holds = new Uint8Array(length);
  const weight = new Float64Array(profile.functions.length);
  for (let row = 0; row < length; row++) {
    const caller = parent[row]!;
    if (of === null || func[row] === of || (caller >= 0 && holds[caller] === 1)) holds[row] = 1;
    if (holds[row] === 1) weight[func[row]!]! += self[row]!;
  }
  const found = Int32Array.from(weight.keys()).filter((one) => weight[one] !== 0);
  found.sort((a, b) => weight[b]! - weight[a]! || a - b);
  return { length: found.length, func: found, weight: Float64Array.from(found, (one) => weight[one]!) };
}
