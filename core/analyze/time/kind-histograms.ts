import type { ThreadIndex } from '../../model/brand.ts';
import { functionFacts } from '../../model/function-facts.ts';
import type { Profile } from '../../model/profile.ts';
import { CODE_KINDS, codeKind, type CodeKind } from '../../model/code-kind.ts';
import { shareWithin } from '../view/selected-weights.ts';
import { CellAdder, type CellSums } from './covered.ts';
import type { TimeGrid, TimeRange } from './grid.ts';
import { bucketsOf } from './histogram.ts';
import type { SampleView } from '../view/build-stack-view.ts';

/** Threads' weight over time in buckets (columns), by the kind of the function in which a stack ends. */
export interface KindHistograms extends TimeGrid {
  /** In the requested order. */
  readonly threads: readonly ThreadKinds[];
}

export interface ThreadKinds {
  readonly thread: ThreadIndex;
  /** Kinds that have a sample here, in the order of `CODE_KINDS`. Samples without a stack have no kind. */
  readonly kinds: readonly { readonly kind: CodeKind; readonly weight: Float64Array }[];
}

const KINDS = Object.keys(CODE_KINDS) as CodeKind[];
const UNKNOWN = 255;

/** Computes the histograms of a span, or of the whole profile. Null if no sample has a time. */
export function kindHistograms(
  profile: Profile,
  { view, weights, rowOfSample }: SampleView,
  span: TimeRange | null,
  buckets: number,
  threads: readonly ThreadIndex[],
): KindHistograms | null {
  const { samples } = profile;
  const grid = bucketsOf(profile, span, buckets);
  if (grid === null) return null;
  const placeOf = new Int32Array(profile.threads.length).fill(-1);
  for (const [place, thread] of threads.entries()) placeOf[thread] = place;
  const found = threads.map((): (CellSums | undefined)[] => []);
  const cells = new CellAdder(grid, samples);
  const kindOf = kindsOfFunctions(view.profile);
  for (let sample = 0; sample < samples.length; sample++) {
    const place = placeOf[samples.thread[sample]!]!;
    const row = rowOfSample[sample]!;
    if (place < 0 || row < 0 || weights[sample] === 0 || shareWithin(samples, sample, grid) === 0) continue;
    const bars = (found[place]![kindOf(view.func[row]!)] ??= { weight: new Float64Array(buckets) });
    cells.add(sample, weights[sample]!, bars);
  }
  cells.finish();
  const kindsOf = (place: number): ThreadKinds['kinds'] =>
    KINDS.flatMap((kind, index) => {
      const bars = found[place]![index];
      return bars === undefined ? [] : [{ kind, weight: bars.weight }];
    });
  return { ...grid, threads: threads.map((thread, place) => ({ thread, kinds: kindsOf(place) })) };
}

/** Returns each function's index in `KINDS`, computed once per function. */
function kindsOfFunctions(profile: Profile): (func: number) => number {
  const known = new Uint8Array(profile.functions.length).fill(UNKNOWN);
  return (func) => {
    if (known[func] === UNKNOWN) known[func] = KINDS.indexOf(codeKind(functionFacts(profile, func)));
    return known[func]!;
  };
}
