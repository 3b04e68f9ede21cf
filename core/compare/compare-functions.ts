import type { Comparison, ComparedSide } from './comparison.ts';
import type { PatternRunner } from '../analyze/transforms/resolve-transforms.ts';
import { adviseRuns } from './statistics/advise-runs.ts';
import type { Normalisation, WeighedCapture } from './measure/capture-facts.ts';
import { compareCircumstances } from './circumstances.ts';
import { designWarnings, emptyWarnings, roundingWarnings } from './compare-warnings.ts';
import { judgeMetrics, type JudgedMetrics, type MeasuredPair } from './statistics/judge-metrics.ts';
import { matchFunctions } from './match/match-functions.ts';
import { DEFAULT_MATCH_RULES, type MatchRules } from './match/match-rules.ts';
import { matchingWarnings } from './match/matching-warnings.ts';
import type { MeasuredCapture } from './measure/measured-capture.ts';
import { COLUMN, measureCapture, type ComparedCapture } from './measure/measure-capture.ts';
import { estimateRow } from './measure/measures.ts';
import { normalise } from './measure/normalise.ts';
import { PROCESS_FRAMES, setProcessFramesAside } from './match/process-frames.ts';
import type { OnAwaitedStep } from './progress.ts';
import { shapeWarnings } from './same-shape.ts';
import { normalisedValue, observationsPerWeight, sideMeasures } from './measure/side-measures.ts';
import { inTurn, sumSide, type SideSums } from './measure/side-sums.ts';
import { withholdVerdicts } from './withheld-verdicts.ts';

export interface CompareFunctionsOptions {
  /** Null: the default, see `normalise`. */
  readonly normalisation?: Normalisation | null;
  readonly rules?: MatchRules;
  /** Runs the users' rules. */
  readonly patterns: PatternRunner;
  readonly onStep?: OnAwaitedStep;
}

/** The functions the sides have, and what can be said of each. Throws a CompareRefusal where the result would mean nothing. */
export async function compareFunctions(
  before: readonly ComparedCapture[],
  after: readonly ComparedCapture[],
  { normalisation = null, rules = DEFAULT_MATCH_RULES, patterns, onStep = () => undefined }: CompareFunctionsOptions,
): Promise<Comparison> {
  const captures = before.length + after.length;
  const aside = rules.off.includes(PROCESS_FRAMES)
    ? { before, after, warnings: [] }
    : setProcessFramesAside({ before, after });
  const measured = {
    before: await inTurn(aside.before, measureCapture, (place) => onStep('measure', place / captures)),
    after: await inTurn(aside.after, measureCapture, (place) => onStep('measure', (before.length + place) / captures)),
  };
  const normalised = normalise(measured.before.map(weighed), measured.after.map(weighed), normalisation);
  await onStep('match', 0);
  const matched = await matchFunctions(measured.before, measured.after, rules, patterns);
  const matchWarnings = await matchingWarnings(measured, matched, rules, patterns);
  const rows = matched.table.functions.length;
  // Judging all functions is one piece more.
  const onSum = (place: number) => onStep('test', place / (captures + 1));
  const sides = {
    before: await sumSide(measured.before, matched.before, normalised.before, normalised.kind, rows, onSum),
    after: await sumSide(measured.after, matched.after, normalised.after, normalised.kind, rows, (place) =>
      onSum(before.length + place),
    ),
  };
  await onSum(captures);
  const compared = (side: 'before' | 'after'): ComparedSide => ({
    captures: measured[side],
    factors: normalised[side],
    functions: matched[side],
    totals: measured[side].map((capture, place) =>
      normalisedValue(capture.whole[COLUMN.weight]!, normalised[side][place]!),
    ),
  });
  const all = [...measured.before, ...measured.after];
  const summed = judgeSums(sides, normalised.kind, rows);
  const allFacts = all.map((capture) => capture.facts);
  const { warnings: withheld, ...supported } = withholdVerdicts(summed, allFacts, matched.table.functions);
  const judged = { ...summed, ...supported };
  const seconds = meanSeconds(all);
  const found = { before: compared('before'), after: compared('after'), matched, normalised, ...judged };
  const facts = (side: readonly MeasuredCapture[]) => side.map((capture) => capture.facts);
  return {
    ...found,
    advice: (metric, func) => {
      if (!(func >= 0 && func < rows)) throw new RangeError(`function ${func} of ${rows}`);
      const { design, metrics, evidence } = judged;
      const row = estimateRow(design, metrics[metric].before, metrics[metric].after, func);
      return adviseRuns(design, row, judged[metric][func]!, evidence(metric, func), seconds);
    },
    circumstances: compareCircumstances(facts(measured.before), facts(measured.after)),
    warnings: [
      ...matchWarnings,
      ...aside.warnings,
      ...shapeWarnings(found),
      ...normalised.warnings,
      ...emptyWarnings([...aside.before, ...aside.after], all),
      ...roundingWarnings(all),
      ...designWarnings(judged.design),
      ...withheld,
    ],
  };
}

function judgeSums(
  sides: { readonly before: SideSums; readonly after: SideSums },
  kind: Normalisation,
  rows: number,
): JudgedMetrics & Pick<Comparison, 'metrics'> {
  const perWeight = observationsPerWeight([...sides.before.whole, ...sides.after.whole]);
  const measure = (columns: keyof SideSums, count: number): MeasuredPair => ({
    before: sideMeasures(sides.before[columns], count, kind, perWeight),
    after: sideMeasures(sides.after[columns], count, kind, perWeight),
  });
  const metrics = { self: measure('self', rows), total: measure('total', rows), whole: measure('whole', 1) };
  return { ...judgeMetrics(metrics), metrics };
}

const weighed = ({ facts, valueType, whole }: MeasuredCapture): WeighedCapture => ({
  facts,
  valueType,
  total: whole[COLUMN.weight]!,
});

/** Null where not all are known. */
function meanSeconds(captures: readonly MeasuredCapture[]): number | null {
  let sum = 0;
  for (const { facts } of captures) {
    if (facts.durationSeconds === null) return null;
    sum += facts.durationSeconds;
  }
  return sum / captures.length;
}
