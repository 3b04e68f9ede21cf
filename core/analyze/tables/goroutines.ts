import type { FunctionIndex } from '../../model/brand.ts';
import type { Label, Profile } from '../../model/profile.ts';
import { sampleWeights } from '../../model/weights.ts';
import { compareText } from '../compare-text.ts';
import { countsGoroutines, isGoroutineWait } from '../goroutine-waits.ts';
import type { ResolvedTransforms } from '../view/transforms.ts';
import { NO_ROW, viewSamples } from '../view/build-stack-view.ts';
import type { Selection } from '../view/stack-view.ts';

/** Goroutines with the same stack. */
export interface GoroutineGroup {
  /** Number of goroutines; after subtracting a base, their growth. */
  readonly count: number;
  /** Go's states, most frequent first; empty for a profile without them. */
  readonly states: readonly { readonly text: string; readonly count: number }[];
  /** The longest wait in nanoseconds, in whole minutes as Go prints it; 0 below a minute; null if not known. */
  readonly longestWaitNs: number | null;
  readonly createdBy: string | null;
  /** Function names, leaf first. */
  readonly frames: readonly string[];
  /** The innermost function that does not only wait, → the view's functions; null without a stack. */
  readonly func: FunctionIndex | null;
  /** Its name. */
  readonly own: string | null;
}

/** Returns the goroutines of a view by stack and creator: the most first, or with a base those that grew most. */
export function goroutineGroups(
  profile: Profile,
  selection: Selection,
  transforms: ResolvedTransforms | null = null,
): GoroutineGroup[] {
  const counted = profile.valueTypes.findIndex((one) => countsGoroutines({ valueTypes: [one] }));
  if (counted < 0) return [];
  const { view, weights, rowOfSample } = viewSamples(
    profile,
    { ...selection, valueType: counted as Selection['valueType'] },
    transforms,
  );
  const waits = waitsOf(profile);
  const groups = new Map<string, OpenGroup>();
  const { labelSet, labelSets } = profile.samples;
  for (let sample = 0; sample < weights.length; sample++) {
    const row = rowOfSample[sample]!;
    if (row === NO_ROW.hidden || row === NO_ROW.notSelected) continue;
    const set = labelSets[labelSet?.[sample] ?? -1] ?? [];
    const createdBy = textOf(set, 'created by');
    const key = `${row}\0${createdBy ?? ''}`;
    const group = groups.get(key) ?? {
      row,
      createdBy,
      count: 0,
      states: new Map<string, number>(),
      longestWaitNs: null,
    };
    groups.set(key, group);
    const weight = weights[sample]!;
    group.count += weight;
    const state = textOf(set, 'state');
    if (state !== null) group.states.set(state, (group.states.get(state) ?? 0) + weight);
    // A base's waits are negative.
    if (waits !== null && weight > 0) group.longestWaitNs = Math.max(group.longestWaitNs ?? 0, waits[sample]!);
  }
  const { strings, functions } = view.profile;
  const nameOf = (func: number): string => strings[functions.name[func]!]!;
  return [...groups.values()]
    .filter(({ count }) => count !== 0)
    .map(({ row, states, ...group }) => {
      const stack: number[] = [];
      for (let at = row; at >= 0; at = view.parent[at]!) stack.push(view.func[at]!);
      const own = stack.find((func) => !isGoroutineWait(nameOf(func))) ?? stack.at(-1) ?? null;
      return {
        ...group,
        states: [...states]
          .map(([text, count]) => ({ text, count }))
          .filter(({ count }) => count !== 0)
          .sort((a, b) => b.count - a.count || compareText(a.text, b.text)),
        frames: stack.map(nameOf),
        func: own as FunctionIndex | null,
        own: own === null ? null : nameOf(own),
      };
    })
    .sort((a, b) => b.count - a.count || compareText(a.frames.join(), b.frames.join()));
}

interface OpenGroup {
  readonly row: number;
  readonly createdBy: string | null;
  count: number;
  readonly states: Map<string, number>;
  longestWaitNs: number | null;
}

function textOf(set: readonly Label[], key: string): string | null {
  const found = set.find((label) => label.key === key);
  return found !== undefined && 'text' in found ? found.text : null;
}

/** Returns the waits by sample; null if the profile does not state how long goroutines have waited. */
function waitsOf(profile: Profile): Float64Array | null {
  const waited = profile.valueTypes.findIndex(({ type, unit }) => type === 'wait' && unit === 'nanoseconds');
  return waited < 0 ? null : sampleWeights(profile, waited as Selection['valueType']);
}
