import type { Comparison, ComparedSide, OnAwaitedStep } from './comparison.ts';
import { finishInSlices, type Steps } from '../steps.ts';
import type { PatternRunner } from '../analyze/transforms/resolve-transforms.ts';
import { adviseRuns } from './statistics/advise-runs.ts';
import type { Normalisation, WeighedCapture } from './measure/capture-facts.ts';
import { compareCircumstances } from './circumstances.ts';
import { designWarnings, emptyWarnings, roundingWarnings } from './compare-warnings.ts';
import { judgeBySizeSteps, type SizedMetrics } from './statistics/judge-by-size.ts';
import type { MeasuredPair } from './statistics/judge-metrics.ts';
import { matchFunctions } from './match/match-functions.ts';
import { DEFAULT_MATCH_RULES, type MatchRules } from './match/match-rules.ts';
import { matchingWarnings } from './match/matching-warnings.ts';
import type { MeasuredCapture } from './measure/measured-capture.ts';
import { COLUMN, measureCapture, type ComparedCapture } from './measure/measure-capture.ts';
import { estimateRow } from './measure/measures.ts';
import { divideBySizes, hasUnitOfWork, normalise } from './measure/normalise.ts';
import { isCensus } from './measure/value-types.ts';
import { GOROUTINE_WAITS, setGoroutineWaitsAside } from './match/goroutine-waits.ts';
import { PROCESS_FRAMES, setProcessFramesAside } from './match/process-frames.ts';
import { sizeWarnings } from './describe-sizes.ts';
import { shapeWarnings } from './same-shape.ts';
import { normalisedValue, observationsPerWeight, sideMeasures } from './measure/side-measures.ts';
import { inTurn, sumSide, type SideSums } from './measure/side-sums.ts';
import { wildWarnings } from './wild-captures.ts';
import { withholdVerdicts } from './withheld-verdicts.ts';

interface CompareFunctionsOptions {
  /** Null selects the default, see `normalise`. */
  readonly normalisation?: Normalisation | null;
  readonly rules?: MatchRules;
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
  const measured = {
    before: await inTurn(aside.before, measureCapture, (place) => onStep('measure', place / captures), rest),
    after: await inTurn(
      aside.after,
      measureCapture,
      (place) => onStep('measure', (before.length + place) / captures),
      rest,
    ),
  };
  const measuredAs = normalise(measured.before.map(weighed), measured.after.map(weighed), normalisation);
  await onStep('match', 0);
  const matched = await matchFunctions(measured.before, measured.after, rules, patterns, rest);
  await rest?.();
  const matchWarnings = await matchingWarnings(measured, matched, rules, patterns);
  const rows = matched.table.functions.length;
  // Judging all functions counts as one more piece.
  const onSum = (place: number) => onStep('test', place / (captures + 1));
  const sides = {
    before: await sumSide(measured.before, matched.before, measuredAs.before, measuredAs.kind, rows, onSum, rest),
    after: await sumSide(
      measured.after,
      matched.after,
      measuredAs.after,
      measuredAs.kind,
      rows,
      (place) => onSum(before.length + place),
      rest,
    ),
  };
  await onSum(captures);
  const all = [...measured.before, ...measured.after];
  const isOfWork = hasUnitOfWork(measuredAs.kind, all.map(weighed));
  const { divisors, ...summed } = await finishInSlices(
    judgeSums(sides, measuredAs.kind, rows, isOfWork, asMeasured),
    rest,
  );
  const normalised = divisors === null ? measuredAs : divideBySizes(measuredAs, divisors);
  const compared = (side: 'before' | 'after'): ComparedSide => ({
    captures: measured[side],
    factors: normalised[side],
    functions: matched[side],
    totals: measured[side].map((capture, place) =>
      normalisedValue(capture.whole[COLUMN.weight]!, normalised[side][place]!),
    ),
  });
  await rest?.();
  const allFacts = all.map((capture) => capture.facts);
  const { warnings: withheld, ...supported } = withholdVerdicts(summed, allFacts, matched.table.functions);
  const judged = { ...summed, ...supported };
  const seconds = meanSeconds(all);
  const growthFirst = all.every(({ valueType }) => isCensus(valueType));
  const found = { before: compared('before'), after: compared('after'), matched, normalised, growthFirst, ...judged };
  const facts = (side: readonly MeasuredCapture[]) => side.map((capture) => capture.facts);
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

function* judgeSums(
  sides: { readonly before: SideSums; readonly after: SideSums },
  kind: Normalisation,
  rows: number,
  isOfWork: boolean,
  asMeasured: boolean,
): Steps<SizedMetrics> {
  const perWeight = observationsPerWeight([...sides.before.whole, ...sides.after.whole]);
  const measure = (columns: keyof SideSums, count: number): MeasuredPair => ({
    before: sideMeasures(sides.before[columns], count, kind, perWeight),
    after: sideMeasures(sides.after[columns], count, kind, perWeight),
  });
  const metrics = { self: measure('self', rows), total: measure('total', rows), whole: measure('whole', 1) };
  yield;
  return yield* judgeBySizeSteps(metrics, isOfWork, asMeasured);
}

const weighed = ({ facts, valueType, whole }: MeasuredCapture): WeighedCapture => ({
  facts,
  valueType,
  total: whole[COLUMN.weight]!,
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
