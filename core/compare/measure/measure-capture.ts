import type { ResolvedTransforms } from '../../analyze/view/transforms.ts';
import type { Selection } from '../../analyze/view/stack-view.ts';
import { NO_ROW, sampleViewSteps } from '../../analyze/view/build-stack-view.ts';
import type { Profile } from '../../model/profile.ts';
import { inPieces, type Steps } from '../../steps.ts';
import { factsWithin, type CaptureFacts } from './capture-facts.ts';
import { COARSE_BLOCKS, type MeasuredCapture } from './measured-capture.ts';
import { FINE_BLOCKS, sortByBlock } from './sampling-variance.ts';
import { countModel, type CountModel } from './value-types.ts';

/** One capture of a side, and the part of it that is compared. */
export interface ComparedCapture {
  readonly profile: Profile;
  readonly selection: Selection;
  /** Resolved for this profile. */
  readonly transforms: ResolvedTransforms | null;
  readonly facts: CaptureFacts;
}

/** Columns that are summed by row: weight, observations, sampling variance of counts, then a weight per time block. */
export const COLUMN = { weight: 0, samples: 1, squares: 2, firstBlock: 3 } as const;

export function* measureCapture({ profile, selection, transforms, facts }: ComparedCapture): Steps<MeasuredCapture> {
  const { view, weights, rowOfSample } = yield* sampleViewSteps(profile, selection, transforms);
  yield;
  const model = countModel(profile, selection.valueType, weights);
  const isShown = (sample: number): boolean =>
    rowOfSample[sample] !== NO_ROW.hidden && rowOfSample[sample] !== NO_ROW.notSelected;
  const blocks = timeBlocks(profile, selection, rowOfSample);
  yield;
  const columns = COLUMN.firstBlock + (blocks === null ? 0 : COARSE_BLOCKS);
  const self = new Float64Array(view.length * columns);
  const whole = new Float64Array(columns);
  yield* inPieces(weights.length, (first, end) => {
    for (let sample = first; sample < end; sample++) {
      if (!isShown(sample)) continue;
      const weight = weights[sample]!;
      const row = rowOfSample[sample]!;
      const add = (column: number, value: number): void => {
        whole[column]! += value;
        if (row >= 0) self[row * columns + column]! += value;
      };
      add(COLUMN.weight, weight);
      add(COLUMN.samples, observations(model, weight));
      add(COLUMN.squares, countVariance(model, weight));
      if (blocks !== null) add(COLUMN.firstBlock + Math.floor(blocks[sample]! / FINE_PER_BLOCK), weight);
    }
  });
  yield;
  const valueType = profile.valueTypes[selection.valueType]!;
  return {
    view,
    facts: factsWithin(facts, selection.timeRange),
    valueType,
    hasBlocks: blocks !== null,
    fine: blocks === null ? null : sortByBlock(blocks, rowOfSample, weights, isShown),
    isCount: model !== null,
    columns,
    self,
    whole,
  };
}

const observations = (model: CountModel | null, weight: number): number =>
  model?.kind === 'unit' ? Math.abs(weight) / model.weight : 1;

/** Returns the variance of a sample's observations if each of them occurred independently by chance. */
function countVariance(model: CountModel | null, weight: number): number {
  if (model === null) return 0;
  return model.kind === 'unit' ? Math.abs(weight) * model.weight : weight * weight;
}

const FINE_PER_BLOCK = FINE_BLOCKS / COARSE_BLOCKS;

/**
 * Returns the fine block of each sample; blocks divide the selected time into equal parts. Null if a selected sample
 * has no time, or if all have the same.
 */
function timeBlocks({ samples }: Profile, { timeRange }: Selection, rowOfSample: Int32Array): Uint8Array | null {
  const { time } = samples;
  if (time === null) return null;
  let first = Infinity;
  let last = -Infinity;
  for (let sample = 0; sample < rowOfSample.length; sample++) {
    if (rowOfSample[sample] === NO_ROW.notSelected) continue;
    if (Number.isNaN(time[sample])) return null;
    first = Math.min(first, time[sample]!);
    last = Math.max(last, time[sample]!);
  }
  if (timeRange !== null && Number.isFinite(timeRange.start)) first = timeRange.start;
  if (timeRange !== null && Number.isFinite(timeRange.end)) last = timeRange.end;
  if (!(last > first)) return null;
  const length = (last - first) / FINE_BLOCKS;
  const blocks = new Uint8Array(rowOfSample.length);
  // `from` would walk an iterator, at several times the cost.
  for (let sample = 0; sample < blocks.length; sample++) {
    if (rowOfSample[sample] === NO_ROW.notSelected) continue;
    blocks[sample] = Math.min(FINE_BLOCKS - 1, Math.floor((time[sample]! - first) / length));
  }
  return blocks;
}
