import type { PatternRunner } from '../analyze/resolve-transforms.ts';
import { adviseRuns, type Advice } from './advise-runs.ts';
import type { CaptureFactor, Normalisation, WeighedCapture } from './capture-facts.ts';
import type { CompareWarning } from './compare-refusal.ts';
import { functionColumns } from './function-sums.ts';
import { judgeRows, type Judgement } from './judge.ts';
import { matchFunctions, type MatchedFunctions } from './match-functions.ts';
import { DEFAULT_MATCH_RULES, type MatchRules } from './match-rules.ts';
import { COLUMN, measureCapture, type ComparedCapture, type MeasuredCapture } from './measure-capture.ts';
import { designComparison, estimateSide, type ComparisonDesign, type SideMeasures } from './measures.ts';
import { normalise, type Normalised } from './normalise.ts';
import type { OnAwaitedStep } from './progress.ts';
import { normalisedValue, observationsPerWeight, sideMeasures, type CaptureColumns } from './side-measures.ts';
import type { VariancePrior } from './variance-prior.ts';

export interface CompareOptions {
  /** Null: the default, see `normalise`. */
  readonly normalisation?: Normalisation | null;
  readonly rules?: MatchRules;
  /** Runs the users' rules. */
  readonly patterns: PatternRunner;
  readonly onStep?: OnAwaitedStep;
}

/** A capture of one side, measured, matched and normalised. */
export interface ComparedSide {
  readonly captures: readonly MeasuredCapture[];
  readonly factors: readonly CaptureFactor[];
  /** By capture: from functions of its view to those of the comparison. */
  readonly functions: readonly Int32Array[];
  /** By capture: all its weight, normalised. */
  readonly totals: readonly number[];
}

export interface Comparison {
  readonly before: ComparedSide;
  readonly after: ComparedSide;
  readonly matched: MatchedFunctions;
  readonly normalised: Normalised;
  readonly design: ComparisonDesign;
  /** By function of `matched.table`. */
  readonly self: readonly Judgement[];
  readonly total: readonly Judgement[];
  /** The captures as wholes; a family of its own. */
  readonly whole: Judgement;
  /** What functions' totals tell of the variances of each other. */
  readonly prior: VariancePrior;
  readonly warnings: readonly CompareWarning[];
  /** How runs must repeat to show a change of 1 % of a function's total. */
  readonly advice: (func: number) => Advice | null;
}

/** The functions the sides have, and what can be said of each. Throws a CompareRefusal where the result would mean nothing. */
export async function compareFunctions(
  before: readonly ComparedCapture[],
  after: readonly ComparedCapture[],
  { normalisation = null, rules = DEFAULT_MATCH_RULES, patterns, onStep = () => undefined }: CompareOptions,
): Promise<Comparison> {
  const captures = before.length + after.length;
  const measured = {
    before: await inTurn(before, measureCapture, (place) => onStep('measure', place / captures)),
    after: await inTurn(after, measureCapture, (place) => onStep('measure', (before.length + place) / captures)),
  };
  const normalised = normalise(measured.before.map(weighed), measured.after.map(weighed), normalisation);
  await onStep('match', 0);
  const views = (side: readonly MeasuredCapture[]) => side.map(({ view }) => view);
  const matched = await matchFunctions(views(measured.before), views(measured.after), rules, patterns);
  const rows = matched.table.functions.length;
  // Judging all functions is one piece more.
  const onSum = (place: number) => onStep('test', place / (captures + 1));
  const sides = {
    before: await sumSide(measured.before, matched.before, normalised.before, rows, onSum),
    after: await sumSide(measured.after, matched.after, normalised.after, rows, (place) =>
      onSum(before.length + place),
    ),
  };
  await onSum(captures);
  const perWeight = observationsPerWeight([...sides.before.whole, ...sides.after.whole]);
  const measure = (columns: keyof SideSums, count: number): MeasuredPair => ({
    before: sideMeasures(sides.before[columns], count, normalised.kind, perWeight),
    after: sideMeasures(sides.after[columns], count, normalised.kind, perWeight),
  });
  const [self, total, whole] = [measure('self', rows), measure('total', rows), measure('whole', 1)];
  const design = designComparison(self.before.captures, self.after.captures);
  const compared = (side: 'before' | 'after'): ComparedSide => ({
    captures: measured[side],
    factors: normalised[side],
    functions: matched[side],
    totals: measured[side].map((capture, place) =>
      normalisedValue(capture.whole[COLUMN.weight]!, normalised[side][place]!),
    ),
  });
  const { judgements, prior } = judgeRows(design, total.before, total.after);
  const seconds = meanSeconds([...measured.before, ...measured.after]);
  return {
    before: compared('before'),
    after: compared('after'),
    matched,
    normalised,
    design,
    self: judgeRows(design, self.before, self.after).judgements,
    total: judgements,
    whole: judgeRows(design, whole.before, whole.after).judgements[0]!,
    prior,
    warnings: [
      ...normalised.warnings,
      ...roundingWarnings([...measured.before, ...measured.after]),
      ...designWarnings(design),
    ],
    advice: (func) => {
      if (!(func >= 0 && func < rows)) throw new RangeError(`function ${func} of ${rows}`);
      return adviseRuns(
        design,
        estimateSide(total.before, design.before, func),
        estimateSide(total.after, design.after, func),
        seconds,
      );
    },
  };
}

interface MeasuredPair {
  readonly before: SideMeasures;
  readonly after: SideMeasures;
}

const weighed = ({ facts, valueType, whole }: MeasuredCapture): WeighedCapture => ({
  facts,
  valueType,
  total: whole[COLUMN.weight]!,
});

interface SideSums {
  readonly self: readonly CaptureColumns[];
  readonly total: readonly CaptureColumns[];
  readonly whole: readonly CaptureColumns[];
}

async function sumSide(
  captures: readonly MeasuredCapture[],
  functions: readonly Int32Array[],
  factors: readonly CaptureFactor[],
  rows: number,
  onCapture: (place: number) => void | Promise<void>,
): Promise<SideSums> {
  const sumCapture = (capture: MeasuredCapture, place: number) => {
    const toMatched = functions[place]!;
    const { length, parent, func } = capture.view;
    const renamed = { length, parent, func: func.map((own) => toMatched[own]!) };
    const sums = functionColumns(renamed, capture.self, capture.columns, rows);
    return { capture, factor: factors[place]!, ...sums };
  };
  const parts = await inTurn(captures, sumCapture, onCapture);
  return {
    self: parts.map(({ capture, factor, self }) => ({ capture, factor, sums: self })),
    total: parts.map(({ capture, factor, total }) => ({ capture, factor, sums: total })),
    whole: parts.map(({ capture, factor }) => ({ capture, factor, sums: capture.whole })),
  };
}

async function inTurn<T, R>(
  items: readonly T[],
  work: (item: T, place: number) => R,
  before: (place: number) => void | Promise<void>,
): Promise<R[]> {
  const results: R[] = [];
  for (const [place, item] of items.entries()) {
    await before(place);
    results.push(work(item, place));
  }
  return results;
}

/** Null where not all are known. */
function meanSeconds(captures: readonly MeasuredCapture[]): number | null {
  let sum = 0;
  for (const { facts } of captures) {
    if (facts.durationSeconds === null) return null;
    sum += facts.durationSeconds;
  }
  return sum / captures.length;
}

function roundingWarnings(captures: readonly MeasuredCapture[]): CompareWarning[] {
  const beyond = captures.filter(({ whole }) => Math.abs(whole[COLUMN.weight]!) > Number.MAX_SAFE_INTEGER);
  if (beyond.length === 0) return [];
  const names = beyond.map(({ facts }) => facts.name).join(', ');
  return [
    { code: 'rounded-sums', message: `Weights of ${names} add up to more than 2^53: sums are rounded to 15 digits.` },
  ];
}

function designWarnings({ isReplicated, isPaired, sharesHost, unpairedHosts }: ComparisonDesign): CompareWarning[] {
  const warnings: CompareWarning[] = [];
  if (!sharesHost) {
    warnings.push({
      code: 'no-shared-host',
      message: 'No host is on both sides: hosts may differ by themselves, so nothing is called grew or shrank.',
    });
    return warnings;
  }
  if (unpairedHosts.length > 0) {
    const names = unpairedHosts.map((host) => host || 'an unknown one').join(', ');
    warnings.push({
      code: 'unpaired-hosts',
      message: `Captures of hosts that only one side has (${names}) are left out of means, tests and intervals.`,
    });
  }
  if (isPaired) {
    warnings.push({
      code: 'paired-hosts',
      message:
        'Host by host: nothing is repeated on a host often enough, so the differences of hosts are the replicates.',
    });
  }
  if (!isReplicated) {
    warnings.push({
      code: 'within-this-run-only',
      message: 'Within this run only: fewer than 3 captures a side do not show what differs between runs; record more.',
    });
  }
  return warnings;
}
