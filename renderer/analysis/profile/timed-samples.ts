import type { TimeOrder } from '#core/analyze/time/time-order.ts';
import { NO_ROW, type SampleView } from '#core/analyze/view/build-stack-view.ts';
import type { CallNodeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import type { NodeSamples } from './graph-protocol.ts';

interface TimedSamples {
  readonly threads: number;
  readonly ofNode: (node: CallNodeIndex) => NodeSamples;
}

/** Numbers of a tree in order of time that its widths don't tell: how many samples each node stands for, and on the time axis their weight. */
export function timedSamples(
  { samples }: Profile,
  { rowOfSample, weights }: SampleView,
  { sample, tree, axis }: Pick<TimeOrder, 'sample' | 'tree' | 'axis'>,
): TimedSamples {
  const count = new Int32Array(tree.length);
  const weight = new Float64Array(tree.length);
  const threads = new Set<number>();
  for (let place = 0; place < sample.length; place++) {
    const one = sample[place]!;
    // It is in the list because it ends what was drawn before it.
    if (rowOfSample[one] === NO_ROW.hidden) continue;
    threads.add(samples.thread[one]!);
    const node = tree.nodeOfSample[place]!;
    count[node]! += 1;
    weight[node]! += weights[one]!;
  }
  for (let node = tree.length - 1; node > 0; node--) {
    const parent = tree.parent[node]!;
    count[parent]! += count[node]!;
    weight[parent]! += weight[node]!;
  }
  const ofNode = (node: CallNodeIndex): NodeSamples => ({
    samples: count[node]!,
    weight: axis === 'time' ? weight[node]! : null,
  });
  return { threads: threads.size, ofNode };
}
