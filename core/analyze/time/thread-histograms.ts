import type { ThreadIndex } from '../../model/brand.ts';
import type { Profile } from '../../model/profile.ts';
import { samplesPerRow } from '../../model/sample-counts.ts';
import type { Selection } from '../view/stack-view.ts';
import { CellAdder } from './covered.ts';
import type { TimeGrid } from './grid.ts';
import { bucketsOf, weightsOfSpan } from './histogram.ts';

/** Threads over time, in buckets (columns) of equal length: small multiples. */
export interface ThreadHistograms extends TimeGrid {
  /**
   * Heaviest thread first; ties by number of samples, then by index. Threads without a sample here are left out. Their
   * columns are parts of the same two buffers, which a worker moves at once.
   */
  readonly threads: readonly ThreadHistogram[];
  /** All threads beyond the requested number, combined; null if there are none. */
  readonly rest: RestHistogram | null;
  /** Maximum of any bucket of `threads`: their common scale. At least 0. */
  readonly maxWeight: number;
  readonly withoutTime: number;
}

interface RestHistogram {
  readonly threadCount: number;
  /** By bucket. */
  readonly weight: Float64Array;
  readonly samples: Float64Array;
  readonly total: number;
  readonly sampleCount: number;
}

export interface ThreadHistogram extends RestHistogram {
  readonly thread: ThreadIndex;
  readonly threadCount: 1;
}

/** Like `timeHistogram`, for each of the selection's heaviest `maxThreads` threads (by `shown` if given). */
export function threadHistograms(
  profile: Profile,
  selection: Selection,
  buckets: number,
  maxThreads: number,
  shown?: Float64Array,
): ThreadHistograms | null {
  const { samples, threads } = profile;
  const grid = bucketsOf(profile, selection.timeRange, buckets);
  if (grid === null) return null;
  const { weights, withoutTime } = weightsOfSpan(profile, selection, grid, shown);

  const perRow = samplesPerRow(profile, selection.valueType);
  const { ranked, total, sampleCount } = rankThreads(profile, weights, perRow);
  const drawn = ranked.slice(0, maxThreads);
  const restAt = drawn.length;
  const placeOf = new Int32Array(threads.length).fill(restAt);
  drawn.forEach((thread, place) => {
    placeOf[thread] = place;
  });
  const cells = new CellAdder(grid, samples, perRow);
  const [weight, count] = [new Float64Array((restAt + 1) * buckets), new Float64Array((restAt + 1) * buckets)];
  const sums = Array.from({ length: restAt + 1 }, (_, place) => ({
    weight: weight.subarray(place * buckets, (place + 1) * buckets),
    count: count.subarray(place * buckets, (place + 1) * buckets),
  }));
  for (let sample = 0; sample < samples.length; sample++) {
    if (weights[sample] === 0) continue;
    cells.add(sample, weights[sample]!, sums[placeOf[samples.thread[sample]!]!]!);
  }
  cells.finish();

  const rest = ranked.slice(maxThreads);
  return {
    ...grid,
    threads: drawn.map((thread, place) => ({
      thread: thread as ThreadIndex,
      threadCount: 1,
      weight: sums[place]!.weight,
      samples: sums[place]!.count,
      total: total[thread]!,
      sampleCount: sampleCount[thread]!,
    })),
    rest:
      rest.length === 0
        ? null
        : {
            threadCount: rest.length,
            weight: sums[restAt]!.weight,
            samples: sums[restAt]!.count,
            total: rest.reduce((sum, thread) => sum + total[thread]!, 0),
            sampleCount: rest.reduce((sum, thread) => sum + sampleCount[thread]!, 0),
          },
    maxWeight: sums.slice(0, restAt).reduce((most, { weight }) => weight.reduce((a, b) => Math.max(a, b), most), 0),
    withoutTime,
  };
}

/** Returns the threads with samples of a weight other than 0, heaviest first. */
function rankThreads({ samples, threads }: Profile, weights: Float64Array, perRow: Float64Array | null) {
  const total = new Float64Array(threads.length);
  const sampleCount = new Float64Array(threads.length);
  for (let sample = 0; sample < samples.length; sample++) {
    if (weights[sample] === 0) continue;
    total[samples.thread[sample]!]! += weights[sample]!;
    sampleCount[samples.thread[sample]!]! += perRow?.[sample] ?? 1;
  }
  const ranked = [...sampleCount.keys()]
    .filter((thread) => sampleCount[thread]! > 0)
    .sort((a, b) => total[b]! - total[a]! || sampleCount[b]! - sampleCount[a]! || a - b);
  return { ranked, total, sampleCount };
}
