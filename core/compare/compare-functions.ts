import type { Comparison, ComparedSide, OnAwaitedStep } from './comparison.ts';
import { finishInSlices } from '../steps.ts';
import type { TransformStep } from '../analyze/view/transforms.ts';
import type { PatternRunner } from '../analyze/transforms/resolve-transforms.ts';
import { adviseRuns } from './statistics/advise-runs.ts';
import type { Normalisation } from '../contract/normalisation.ts';
import type { Side } from '../contract/side.ts';
import { replicatesOf, type CaptureFactor, type WeighedCapture } from './measure/capture-facts.ts';
import { compareCircumstances } from './circumstances.ts';
import { designWarnings, emptyWarnings, roundingWarnings } from './compare-warnings.ts';
import { judgeBySizeSteps, sizesOf } from './statistics/judge-by-size.ts';
import type { NoFactors, SizeFactors } from './statistics/size-factors.ts';
import type { MeasuredMetrics, MeasuredPair } from './statistics/judge-metrics.ts';
import { matchFunctions } from './match/match-functions.ts';
import { DEFAULT_MATCH_RULES, type MatchRules } from './match/match-rules.ts';
import { matchingWarnings } from './match/matching-warnings.ts';
import type { MeasuredCapture } from './measure/measured-capture.ts';
import { COLUMN, measureCapture, type ComparedCapture } from './measure/measure-capture.ts';
import { designComparison, estimateRow, type SideDesign } from './measure/measures.ts';
import { divideBySizes, hasUnitOfWork, normalise } from './normalise.ts';
import { isCensus } from './measure/value-types.ts';
import { GOROUTINE_WAITS, setGoroutineWaitsAside } from './match/goroutine-waits.ts';
import { PROCESS_FRAMES, setProcessFramesAside, type ComparedSides } from './match/process-frames.ts';
import { sizeWarnings } from './describe-sizes.ts';
import { shapeWarnings } from './same-shape.ts';
import { normalisedValue, observationsPerWeight, partsInReplicates, sideMeasures } from './measure/side-measures.ts';
import { processInTurn, sumSide, type SideSums } from './measure/side-sums.ts';
import { wildWarnings } from './wild-captures.ts';
import { withholdVerdicts } from './withheld-verdicts.ts';

interface CompareFunctionsOptions {
  /** Null selects the default, see `normalise`. */
  readonly normalisation?: Normalisation | null;
  readonly rules?: MatchRules;
  /** Size factors of the whole captures if these are only parts of them; null: they are measured. */
  readonly factors?: SizeFactors | NoFactors | null;
  /** Leaves values as measured where size factors would decide; nothing is decided then. */
  readonly asMeasured?: boolean;
  /** Runs the users' rules. */
  readonly patterns: PatternRunner;
  readonly onStep?: OnAwaitedStep;
  /** Awaited between pieces if the thread must answer meanwhile. */
  readonly rest?: () => Promise<void>;
}

/** Compares the sides function by function. Throws a CompareRefusal if the result would be meaningless. */
export async function compareFunctions(
  before: readonly ComparedCapture[],
  after: readonly ComparedCapture[],
  {
    normalisation = null,
    rules = DEFAULT_MATCH_RULES,
    factors = null,
    asMeasured = false,
    patterns,
    onStep = () => undefined,
    rest,
  }: CompareFunctionsOptions,
): Promise<Comparison> {
  const captures = before.length + after.length;
  const processes = rules.off.includes(PROCESS_FRAMES)
    ? { before, after, warnings: [] }
    : setProcessFramesAside({ before, after });
  const aside = rules.off.includes(GOROUTINE_WAITS)
    ? { ...processes, warnings: [] }
    : setGoroutineWaitsAside(processes);
  const options = { rules, patterns, onStep, rest };
  const { measured, measuredAs, matched, sides } = await sumSides(aside, normalisation, options);
  await rest?.();
  const matchWarnings = await matchingWarnings(measured, matched, rules, patterns);
  const rows = matched.table.functions.length;
  // Judging all functions counts as one more piece.
  await onStep('test', captures / (captures + 1));
  const all = [...measured.before, ...measured.after];
  const isOfWork = hasUnitOfWork(measuredAs.kind, all.map(weighed));
  const known = isOfWork ? null : (factors ?? (await factorsOfWhole(aside, measuredAs.kind, options)));
  const metrics = measureSums(sides, measuredAs.kind, rows);
  await rest?.();
  const { divisors, ...summed } = await finishInSlices(judgeBySizeSteps(metrics, isOfWork, known, asMeasured), rest);
  const facts = (side: readonly MeasuredCapture[]) => side.map((capture) => capture.facts);
  const replicates = {
    before: replicatesOf(facts(measured.before)),
    after: replicatesOf(facts(measured.after)),
  };
  const normalised = divisors === null ? measuredAs : divideBySizes(measuredAs, divisors, replicates);
  const compared = (side: Side): ComparedSide => ({
    captures: measured[side],
    factors: normalised[side],
    functions: matched[side],
    totals: measured[side].map((capture, place) =>
      normalisedValue(capture.whole[COLUMN.weight]!, normalised[side][place]!),
    ),
    replicates: replicates[side],
    parts: partsOf(summed.design[side], replicates[side], measuredAs[side]),
  });
  await rest?.();
  const allFacts = all.map((capture) => capture.facts);
  const { warnings: withheld, ...supported } = withholdVerdicts(summed, allFacts, matched.table.functions);
  const judged = { ...summed, ...supported };
  const seconds = meanSeconds(all);
  const growthFirst = all.every(({ valueType }) => isCensus(valueType));
  const found = { before: compared('before'), after: compared('after'), matched, normalised, growthFirst, ...judged };
  const circumstances = compareCircumstances(facts(measured.before), facts(measured.after));
  return {
    ...found,
    advice: (metric, func) => {
      if (!(func >= 0 && func < rows)) throw new RangeError(`function ${func} of ${rows}`);
      const { design, metrics, evidence } = judged;
      const row = estimateRow(design, metrics[metric].before, metrics[metric].after, func);
      return adviseRuns(design, row, judged[metric][func]!, evidence(metric, func), seconds);
    },
    circumstances,
    warnings: [
      ...sizeWarnings(judged.sizes, circumstances),
      ...matchWarnings,
      ...processes.warnings,
      ...aside.warnings,
      ...shapeWarnings(found),
      ...wildWarnings(found, isOfWork),
      ...normalised.warnings,
      ...emptyWarnings([...aside.before, ...aside.after], all),
      ...roundingWarnings(all),
      ...designWarnings(judged.design),
      ...withheld,
    ],
  };
}

function partsOf(
  { groups }: SideDesign,
  replicates: readonly (readonly number[])[],
  factors: readonly CaptureFactor[],
): Float64Array {
  const own = partsInReplicates(
    replicates,
    factors.map(({ exposure }) => exposure),
  );
  const parts = new Float64Array(factors.length);
  for (const group of groups) {
    for (const place of group.flatMap((one) => replicates[one]!)) {
      parts[place] = own[place]! / (group.length * groups.length);
    }
  }
  return parts;
}

interface SummingOptions {
  readonly rules: MatchRules;
  readonly patterns: PatternRunner;
  readonly onStep: OnAwaitedStep;
  readonly rest: (() => Promise<void>) | undefined;
}

/** Measures the captures, matches their functions, and sums them. */
async function sumSides(
  { before, after }: ComparedSides,
  normalisation: Normalisation | null,
  { rules, patterns, onStep, rest }: SummingOptions,
) {
  const captures = before.length + after.length;
  const measured = {
    before: await processInTurn(before, measureCapture, (place) => onStep('measure', place / captures), rest),
    after: await processInTurn(
      after,
      measureCapture,
      (place) => onStep('measure', (before.length + place) / captures),
      rest,
    ),
  };
  const measuredAs = normalise(measured.before.map(weighed), measured.after.map(weighed), normalisation);
  await onStep('match', 0);
  const matched = await matchFunctions(measured.before, measured.after, rules, patterns, rest);
  const rows = matched.table.functions.length;
  const sum = (side: Side, first: number): Promise<SideSums> =>
    sumSide(
      measured[side],
      matched[side],
      measuredAs[side],
      measuredAs.kind,
      rows,
      (place) => onStep('test', (first + place) / (captures + 1)),
      rest,
    );
  return {
    measured,
    measuredAs,
    matched,
    sides: { before: await sum('before', 0), after: await sum('after', before.length) },
  };
}

/**
 * Returns the size factors of the whole captures within the selected time if only part of them is in view: too few
 * functions, or those that changed, may be left there. Null if all is in view.
 */
async function factorsOfWhole(
  { before, after }: ComparedSides,
  kind: Normalisation,
  options: SummingOptions,
): Promise<SizeFactors | NoFactors | null> {
  const isWhole = ({ selection, transforms }: ComparedCapture): boolean =>
    selection.threads === null && (transforms === null || transforms.steps.every((step) => onlyRename(step) === step));
  if ([...before, ...after].every(isWhole)) return null;
  const whole = ({ selection, transforms, ...capture }: ComparedCapture): ComparedCapture => ({
    ...capture,
    selection: { ...selection, threads: null },
    transforms: transforms && { ...transforms, steps: transforms.steps.map(onlyRename) },
  });
  const captures = before.length + after.length;
  // These pieces are part of the last one of the view.
  const onStep: OnAwaitedStep = () => options.onStep('test', captures / (captures + 1));
  const { sides, matched } = await sumSides({ before: before.map(whole), after: after.map(whole) }, kind, {
    ...options,
    onStep,
  });
  const metrics = measureSums(sides, kind, matched.table.functions.length);
  const design = designComparison(metrics.self.before.captures, metrics.self.after.captures);
  return finishInSlices(sizesOf(metrics, design), options.rest);
}

const onlyRename = (step: TransformStep | null): TransformStep | null => (step?.kind === 'rename' ? step : null);

function measureSums(sides: Readonly<Record<Side, SideSums>>, kind: Normalisation, rows: number): MeasuredMetrics {
  const perWeight = observationsPerWeight([...sides.before.whole, ...sides.after.whole]);
  const measure = (columns: keyof SideSums, count: number): MeasuredPair => ({
    before: sideMeasures(sides.before[columns], count, kind, perWeight),
    after: sideMeasures(sides.after[columns], count, kind, perWeight),
  });
  return { self: measure('self', rows), total: measure('total', rows), whole: measure('whole', 1) };
}

/** Returns what normalisation needs of a capture. */
export const weighed = ({ facts, valueType, whole, view }: MeasuredCapture): WeighedCapture => ({
  facts,
  valueType,
  total: whole[COLUMN.weight]!,
  samples: view.sampleCount,
});

/** Returns null if any duration is unknown. */
function meanSeconds(captures: readonly MeasuredCapture[]): number | null {
  let sum = 0;
  for (const { facts } of captures) {
    if (facts.durationSeconds === null) return null;
    sum += facts.durationSeconds;
  }
  return sum / captures.length;
}
