import type {
  Experiment,
  ExperimentChange,
  ExperimentOptions,
  ExperimentSide,
  ExperimentSideChange,
} from '#core/contract/experiment.ts';
import { otherSide, SIDES, type Side } from '#core/contract/side.ts';
import { keptChoices } from './document.ts';
import type { CompareState } from './compare.types.ts';

/** A comparison's side, with library IDs. */
interface DraftSide extends Pick<ExperimentSide, 'valueType' | 'threads' | 'timeRange'> {
  readonly captures: readonly { readonly id: string; readonly requests: number | null }[];
}

/** The parts of an open comparison that its experiment stores. */
interface ExperimentDraft {
  /** Null if the user gave no name. */
  readonly name: string | null;
  readonly before: DraftSide;
  readonly after: DraftSide;
  readonly options: ExperimentOptions;
}

/** Omits files outside the library, since an experiment can only refer to captures. */
export function draftOf(state: CompareState): ExperimentDraft {
  const { options, ...choices } = keptChoices(state);
  const side = (name: Side): DraftSide => ({
    ...choices[name],
    captures: state[name].captures.flatMap(({ origin, requests }) =>
      origin.kind === 'capture' ? [{ id: origin.id, requests }] : [],
    ),
  });
  return { name: state.name, before: side('before'), after: side('after'), options };
}

/** Returns the change from one state to the other; null if they are equal. */
export function changeBetween(from: Experiment, to: ExperimentDraft): ExperimentChange | null {
  const isSwapped =
    sameIds(from.before, to.after) && sameIds(from.after, to.before) && !sameIds(from.before, to.before);
  const source = isSwapped ? { ...from, before: from.after, after: from.before } : from;
  const change: ExperimentChange = {
    ...(to.name === null || to.name === from.name ? {} : { name: to.name }),
    ...optionsChange(from.options, to.options),
    ...(isSwapped ? { swap: true as const } : {}),
  };
  for (const side of SIDES) {
    const sideChange = changeOfSide(source[side], to[side]);
    // The swap is applied last, so this side's change belongs to the other side.
    if (sideChange !== null) change[isSwapped ? otherSide(side) : side] = sideChange;
  }
  return Object.keys(change).length === 0 ? null : change;
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const idsOf = ({ captures }: DraftSide): string[] => captures.map(({ id }) => id).toSorted();

const sameIds = (a: DraftSide, b: DraftSide): boolean => same(idsOf(a), idsOf(b));

function changeOfSide(from: ExperimentSide, to: DraftSide): ExperimentSideChange | null {
  const there = new Map(from.captures.map(({ id, requests }) => [id, requests]));
  const wanted = new Map(to.captures.map(({ id, requests }) => [id, requests]));
  const put = [...wanted].filter(([id, requests]) => there.get(id) !== requests);
  const remove = [...there.keys()].filter((id) => !wanted.has(id));
  const change: ExperimentSideChange = {
    ...(put.length === 0 ? {} : { put: put.map(([id, requests]) => ({ id, requests })) }),
    ...(remove.length === 0 ? {} : { remove }),
    ...(same(from.valueType, to.valueType) ? {} : { valueType: to.valueType }),
    ...(same(from.threads, to.threads) ? {} : { threads: to.threads }),
    ...(same(from.timeRange, to.timeRange) ? {} : { timeRange: to.timeRange }),
  };
  return Object.keys(change).length === 0 ? null : change;
}

function optionsChange(from: ExperimentOptions, to: ExperimentOptions): Pick<ExperimentChange, 'options'> {
  const options = {
    ...(from.normalisation === to.normalisation ? {} : { normalisation: to.normalisation }),
    ...(same(from.rules, to.rules) ? {} : { rules: to.rules }),
    ...(same(from.transforms, to.transforms) ? {} : { transforms: to.transforms }),
  };
  return Object.keys(options).length === 0 ? {} : { options };
}
