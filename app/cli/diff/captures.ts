import { threadsCalled } from '#core/analyze/view/called-threads.ts';
import type { Pattern } from '#core/analyze/search.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { transformProfile } from '#core/analyze/transforms/transform-profile.ts';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import type { ResolvedTransforms } from '#core/analyze/view/transforms.ts';
import { compareFunctions } from '#core/compare/compare-functions.ts';
import type { Comparison } from '#core/compare/comparison.ts';
import { commonValueType, nearestValueType, type ValueTypeName } from '#core/compare/measure/common-value-type.ts';
import type { ComparedCapture } from '#core/compare/measure/measure-capture.ts';
import { captureFacts } from '#core/compare/measure/read-facts.ts';
import { splitTwoColumns } from '#core/compare/measure/split-two-columns.ts';
import type { Experiment, ExperimentOptions } from '#core/contract/experiment.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { SIDES, type Side } from '#core/contract/side.ts';
import type { ThreadIndex, ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { Command } from 'commander';
import { refuseUnfound } from '../input/apply-transforms.ts';
import { chooseThreads } from '../input/choose-threads.ts';
import { chooseTime } from '../input/choose-time.ts';
import { chooseValueType } from '../input/choose-value-type.ts';
import type { DiffInput, DiffInputs } from './input-types.ts';
import { findDiffInputs } from './inputs.ts';
import { sidesRequest, type DiffRequest } from './options.ts';
import { CliError, inInput, usageError } from '../errors.ts';
import { createLimitedPatternRunner } from '../input/pattern-runner.ts';
import { importInput } from '../input/read-input.ts';
import { countText } from '#core/units/format.ts';
import { showProgress } from '../output/terminal.ts';
import { givenTransforms, moduleAmong, patternOf, type GivenTransform } from '../input/transform-options.ts';
import { warnOfCaptures } from '../output/warn-of-diagnostics.ts';

/** A capture to compare. */
export interface DiffCapture extends ComparedCapture {
  readonly transforms: ResolvedTransforms;
  /** The source of `transforms`: equal for all captures except for the names of modules. */
  readonly named: readonly NamedTransform[];
  /** Null for a file outside the library. */
  readonly document: CaptureDocument | null;
}

export interface DiffSides {
  readonly before: readonly DiffCapture[];
  readonly after: readonly DiffCapture[];
  /** The options of the experiment, or the defaults. */
  readonly options: ExperimentOptions;
  /** Null for files, and for captures that are not in an experiment. */
  readonly experiment: Experiment | null;
}

interface ReadCapture {
  readonly input: DiffInput;
  readonly profile: Profile;
}

/** Reads all captures and selects the parts to compare. */
export async function selectSides(command: Command, request: DiffRequest, inputs: DiffInputs): Promise<DiffSides> {
  const { experiment } = inputs;
  const options = experiment?.options ?? DEFAULT_OPTIONS;
  const read = await readSides(request, inputs);
  const all = [...read.before, ...read.after];
  const transforms = await transformsOf(command, options, all);
  const types = valueTypesOf(request, experiment, read.before[0]!.profile);
  const requests = {
    before: requestsOf('before', request, read.before),
    after: requestsOf('after', request, read.after),
  };
  const threads = threadsOf(request.threads, all);
  const side = (name: Side): DiffCapture[] =>
    read[name].map(({ input, profile }, place) => {
      const time = request.times[name];
      const selection: Selection = {
        valueType: inInput(input.name, () => types[name](profile)),
        threads: threads.get(profile) ?? experimentThreads(profile, experiment?.[name].threads ?? null),
        timeRange: inInput(input.name, () => chooseTime(profile, time)) ?? experiment?.[name].timeRange ?? null,
      };
      const { facts } = captureFacts(input.document, profile, input.name);
      return {
        selection,
        document: input.document,
        ...transforms.get(profile)!,
        facts: { ...facts, requests: requests[name][place] ?? facts.requests },
      };
    });
  const sides = { before: side('before'), after: side('after'), options, experiment };
  refuseUncounted(request, sides);
  return sides;
}

/** Reads the sides of an experiment of the library as `flamebench diff` does without options. */
export async function sidesOfExperiment(
  id: string,
  library: string | undefined,
): Promise<{ readonly inputs: DiffInputs; readonly sides: DiffSides }> {
  const request = sidesRequest([id], { library });
  const inputs = await findDiffInputs(request);
  return { inputs, sides: await selectSides(new Command(), request, inputs) };
}

/** Compares sides by their own rules, and by their own normalisation unless another is given. */
export const compareSides = (
  { before, after, options }: DiffSides,
  normalisation = options.normalisation,
): Promise<Comparison> =>
  compareFunctions(before, after, {
    rules: options.rules,
    normalisation,
    patterns: createLimitedPatternRunner(() => 'a rule of the experiment'),
  });

/** Equal to the defaults of the experiment schema, which is slow to load. */
export const DEFAULT_OPTIONS: ExperimentOptions = {
  normalisation: null,
  rules: { off: [], user: [], ignoreModules: false },
  transforms: [],
};

async function readSides({ reading }: DiffRequest, inputs: DiffInputs): Promise<Record<Side, ReadCapture[]>> {
  const sides: Record<Side, ReadCapture[]> = { before: [], after: [] };
  const all = SIDES.flatMap((side) => inputs[side].map((input) => ({ side, input })));
  // Captures are read one after another, because reading takes memory.
  for (const [place, { side, input }] of all.entries()) {
    showProgress(`reading ${place + 1} of ${all.length}: ${input.name}`);
    const profile = await importInput(input.path, reading, input.mayReadHere).finally(() => showProgress(''));
    sides[side].push({ input, profile });
  }
  const read = [...sides.before, ...sides.after];
  warnOfCaptures(read.map(({ input, profile }) => ({ name: input.name, diagnostics: profile.diagnostics })));
  const [only] = sides.before;
  const columns = only === undefined || sides.before.length > 1 ? null : splitTwoColumns(only.profile);
  if (sides.after.length === 0 && columns !== null) {
    return {
      before: [{ input: only!.input, profile: columns.before }],
      after: [{ input: only!.input, profile: columns.after }],
    };
  }
  for (const side of SIDES) if (sides[side].length === 0) throw emptySide(side, inputs);
  return sides;
}

function emptySide(side: Side, { experiment }: DiffInputs): CliError {
  if (experiment !== null) {
    return usageError(
      `the experiment ${experiment.name} has no capture ${side}`,
      experiment.loads === undefined
        ? 'add one in the workbench, or name files'
        : `flamebench load diff ${experiment.id} compares its load tests`,
    );
  }
  return usageError(
    `the ${side} side is empty`,
    'give BEFORE AFTER, an experiment, or a folded file with two counts a line',
  );
}

type ChooseType = (profile: Profile) => ValueTypeIndex;

/**
 * Returns each side's value type. A requested type must exist; one suggested by the experiment or the first capture may
 * be replaced by the most similar one.
 */
function valueTypesOf({ types }: DiffRequest, experiment: Experiment | null, first: Profile): Record<Side, ChooseType> {
  const { before, after } = commonValueType(
    first,
    experiment?.before.valueType ?? null,
    experiment?.after.valueType ?? null,
  );
  const choose = (asked: string | undefined, suggested: ValueTypeName): ChooseType =>
    asked === undefined
      ? (profile) => nearestValueType(profile, suggested)
      : (profile) => chooseValueType(profile, asked);
  return { before: choose(types.before, before), after: choose(types.after, after) };
}

/** Returns the number of requests by capture; null if unknown. */
function requestsOf(side: Side, { requests }: DiffRequest, captures: readonly ReadCapture[]): (number | null)[] {
  const counts = requests[side];
  if (counts.length > 1 && counts.length !== captures.length) {
    throw usageError(
      `--requests: ${counts.length} counts for ${countText(captures.length, 'capture')} ${side}`,
      'give one for each, in their order, or one for all',
    );
  }
  return captures.map(({ input }, place) => counts[place] ?? counts[0] ?? input.requests);
}

/** Throws if `--requests` is given but the number of one capture is unknown, because then no count can be used. */
function refuseUncounted({ requests }: DiffRequest, sides: DiffSides): void {
  const given = SIDES.filter((side) => requests[side].length > 0);
  const lacking = SIDES.find((side) => sides[side].some(({ facts }) => facts.requests === null));
  if (given.length === 0 || lacking === undefined) return;
  throw usageError(
    `--requests gives no count ${lacking}, and its captures state none`,
    'give counts for both sides: before=1000,after=998',
  );
}

/**
 * Returns the threads by capture. Thread IDs differ between runs, so a thread that one capture lacks must be in
 * another. A capture without an entry uses all threads.
 */
function threadsOf(wanted: readonly string[], captures: readonly ReadCapture[]): Map<Profile, ThreadIndex[]> {
  const chosen = new Map<Profile, ThreadIndex[]>();
  for (const word of wanted) {
    const problems: CliError[] = [];
    for (const { input, profile } of captures) {
      const rows = chosen.get(profile) ?? [];
      chosen.set(profile, rows);
      try {
        rows.push(...(inInput(input.name, () => chooseThreads(profile, [word])) ?? []));
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        problems.push(error);
      }
    }
    if (problems.length === captures.length) throw problems[0]!;
  }
  return chosen;
}

/** Returns an experiment's threads, some of which the capture may lack; null selects all. */
const experimentThreads = (profile: Profile, names: readonly string[] | null): ThreadIndex[] | null =>
  names === null ? null : threadsCalled(profile, names);

type CaptureTransforms = Pick<DiffCapture, 'profile' | 'transforms' | 'named'>;

/**
 * Returns the experiment's transforms, followed by those of the command line, each of which must match in at least one
 * capture.
 */
async function transformsOf(
  command: Command,
  options: ExperimentOptions,
  captures: readonly ReadCapture[],
): Promise<Map<Profile, CaptureTransforms>> {
  const own = options.transforms.map((transform, place): GivenTransform => ({
    transform,
    name: `the experiment's transform ${place + 1}`,
    text: null,
  }));
  const names = new Map<Pattern | null, string>();
  const runner = createLimitedPatternRunner((pattern) => names.get(pattern) ?? 'a pattern');
  const profiles = captures.map(({ profile }) => profile);
  const resolved = new Map<Profile, CaptureTransforms>();
  let given: readonly GivenTransform[] = [];
  for (const recorded of profiles) {
    given = [...own, ...(await givenTransforms(command, recorded, moduleAmong(recorded, profiles)))];
    for (const { transform, name } of given) names.set(patternOf(transform), name);
    const named = given.map(({ transform }) => transform);
    const { profile, resolved: transforms } = await transformProfile(recorded, named, runner);
    resolved.set(recorded, { named, profile, transforms });
  }
  for (const [place, one] of given.entries()) {
    refuseUnfound(
      one,
      place,
      [...resolved.values()].map(({ transforms }) => transforms.found[place] ?? null),
    );
  }
  return resolved;
}
