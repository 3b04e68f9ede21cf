import type { FunctionIndex } from '../../model/brand.ts';
import type { SampleView } from '../view/build-stack-view.ts';

/** What every sample weighs whose stack holds a function of the view, however often; 0 of all others. */
export function weightsThrough({ view, weights, rowOfSample }: SampleView, func: FunctionIndex): Float64Array {
  const holds = new Uint8Array(view.length);
  for (let row = 0; row < view.length; row++) {
    const caller = view.parent[row]!;
    if (view.func[row] === func || (caller >= 0 && holds[caller] === 1)) holds[row] = 1;
  }
  return weights.map((weight, sample) => {
    const row = rowOfSample[sample]!;
    return row >= 0 && holds[row] === 1 ? weight : 0;
  });
}
