import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { ExperimentActions } from './experiments/actions.ts';
import { groupCaptures, type CaptureGroup } from './group-captures.ts';
import type { WorkbenchState } from './workbench-state.ts';

export interface SamplePair {
  readonly name: string;
  readonly before: readonly CaptureDocument[];
  readonly after: readonly CaptureDocument[];
}

/** Returns pairs of samples of one program before and after a change, by their names. */
export function samplePairs(samples: readonly CaptureGroup[]): SamplePair[] {
  return samples.flatMap(({ name, captures: before }): SamplePair[] => {
    const [, program] = /^(.*), before$/.exec(name) ?? [];
    const after = samples.find((other) => other.name === `${program}, after`);
    return program === undefined || after === undefined
      ? []
      : [{ name: `${program}, before ↔ after`, before, after: after.captures }];
  });
}

/** Program of the samples that the guide compares: its fix changes one function, in all runs. */
const GUIDED = 'page-server';

/** Returns the samples of {@link GUIDED}; null if they are not in the library. */
export const guidedPair = (samples: readonly CaptureGroup[]): SamplePair | null =>
  samplePairs(samples).find(({ name }) => name.startsWith(`${GUIDED},`)) ?? null;

/** Opens the guided comparison in a tab; does nothing without its samples. */
export function openGuide({ captures }: WorkbenchState, experiments: Pick<ExperimentActions, 'compare'>): void {
  const pair = guidedPair(groupCaptures(captures?.filter(({ origin }) => origin === 'sample') ?? []));
  if (pair !== null) experiments.compare(pair.before, pair.after, true);
}
