import { levelText } from '#core/compare/describe-change.ts';
import { csvText, type ExportColumn } from '#core/export/csv-text.ts';
import {
  compareSweeps,
  type ComparedMetric,
  type ComparedStep,
  type LoadComparison,
} from '#core/load/compare-sweeps.ts';
import { compareComponents, oneSidedComponents } from '#core/load/components.ts';
import { comparisonDocument } from '#core/load/comparison-json.ts';
import { compareSeries } from '#core/load/compare-series.ts';
import { changeText } from '#core/load/describe-load.ts';
import {
  judgeLoadCondition,
  LoadConditionError,
  parseLoadCondition,
  type LoadCondition,
  type LoadConditionResult,
  type StepEvidence,
} from '#core/load/fail-condition.ts';
import type { ProbeSide } from '#core/load/describe-probe.ts';
import { createLoadText, stepTitle } from '#core/load/load-text.ts';
import { sweepOf, toolsOf, type LoadSweep } from '#core/load/sweep.ts';
import { loadTool } from '#core/load/load-tools.ts';
import { ExitCode } from '../command.ts';
import { usageError } from '../errors.ts';
import { findExperimentId } from '../library/find-input.ts';
import { jsonText } from '../output/json-text.ts';
import { asLines, fail } from '../output/terminal.ts';
import { comparedParagraphs } from './compared.ts';
import { findLoad, loadsOfExperiment, probeSideOf, sweepOnly, type FoundLoad } from './inputs.ts';
import { writeProbe } from './probe.ts';
import { writePrinted } from './write-output.ts';
import type { LoadOptions } from './load-options.ts';

const text = createLoadText('en');

/** Compares two sweeps, each of one or more load tests and files, and evaluates the conditions. */
export async function diffLoads(words: readonly string[], options: LoadOptions): Promise<ExitCode> {
  const gate = readGate(options);
  const [one, other] = await wordsOf(words, options);
  const found = [await findAll(one, options.library), await findAll(other, options.library)] as const;
  if (found.flat().some(({ probe }) => probe !== null)) {
    diffProbes(found, options);
    return ExitCode.ok;
  }
  const [before, after] = [sideOf(found[0]), sideOf(found[1])];
  const comparison = compareSweeps(before, after);
  if (comparison.steps.length === 0) {
    throw usageError(
      'the sides have no concurrency in common',
      `before: ${listOf(comparison.onlyBefore)}; after: ${listOf(comparison.onlyAfter)}`,
    );
  }
  const results = gate.judge(comparison);
  writePrinted(options, {
    what: 'comparisons',
    text: () => asText(comparison),
    json: () => asJson(comparison, results),
    csv: () => asCsv(comparison),
  });
  return gate.tell(results);
}

/** The conditions of `--fail-on`. */
export interface LoadGate {
  judge(comparison: LoadComparison): LoadConditionResult[];
  /** Reports the results on stderr and returns the exit code. */
  tell(results: readonly LoadConditionResult[]): ExitCode;
}

/** Throws a usage error if a condition is not one. */
export function readGate(options: Pick<LoadOptions, 'failOn' | 'inconclusive'>): LoadGate {
  const outcome = outcomeOf(options.inconclusive);
  const conditions = (options.failOn ?? []).map(conditionOf);
  return {
    judge: (comparison) => conditions.map((condition) => judgeIn(comparison, condition)),
    tell(results) {
      for (const line of results.flatMap(conditionLines)) fail(line);
      const has = (status: LoadConditionResult['status']): boolean => results.some((one) => one.status === status);
      if (has('failed') || (has('inconclusive') && outcome === 'fail')) return ExitCode.conditionFailed;
      return has('inconclusive') && outcome === 'exit5' ? ExitCode.inconclusive : ExitCode.ok;
    },
  };
}

function outcomeOf(word = 'exit5'): 'pass' | 'fail' | 'exit5' {
  if (word === 'pass' || word === 'fail' || word === 'exit5') return word;
  throw usageError(`--inconclusive ${word}: unknown outcome`, 'use pass, fail or exit5');
}

const conditionOf = (written: string): LoadCondition => asUsageError(written, () => parseLoadCondition(written));

const judgeIn = (comparison: LoadComparison, condition: LoadCondition): LoadConditionResult =>
  asUsageError(condition.text, () => judgeLoadCondition(comparison, condition));

function asUsageError<T>(written: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof LoadConditionError) throw usageError(`--fail-on ${written}: ${error.message}`, error.remedy);
    throw error;
  }
}

/** Returns what each side names; an experiment with load tests names both. */
async function wordsOf(
  words: readonly string[],
  options: LoadOptions,
): Promise<[readonly string[], readonly string[]]> {
  const { before = [], after = [] } = options;
  const [only] = words;
  const isAlone = only !== undefined && words.length === 1 && before.length + after.length === 0;
  const experiment = isAlone ? await findExperimentId(only, options.library) : null;
  if (experiment !== null) {
    const loads = await loadsOfExperiment(experiment, options.library);
    return [[loads.before], [loads.after]];
  }
  const named = before.length > 0 || after.length > 0;
  if (named ? words.length > 0 || before.length === 0 || after.length === 0 : words.length !== 2) {
    throw usageError('load diff wants BEFORE and AFTER', 'several of a side are named with --before and --after');
  }
  return named ? [before, after] : [[words[0]!], [words[1]!]];
}

async function findAll(words: readonly string[], library: string | undefined): Promise<FoundLoad[]> {
  const found = [];
  for (const word of words) found.push(await findLoad(word, library));
  return found;
}

function sideOf(found: readonly FoundLoad[]): LoadSweep {
  const sweeps = found.map(sweepOnly);
  const runs = sweeps.flatMap(({ steps }) => steps.flatMap((step) => step.runs));
  return {
    ...sweepOf(found.map(({ name }) => name).join(', '), runs),
    growth: sweeps.flatMap(({ growth = [] }) => growth),
    probed: sweeps.flatMap(({ probed = [] }) => probed),
    series: new Map(sweeps.flatMap(({ series = [] }) => [...series])),
  };
}

/** Prints the shift between two series of probes. */
function diffProbes(found: readonly [readonly FoundLoad[], readonly FoundLoad[]], options: LoadOptions): void {
  if (options.failOn !== undefined) throw usageError('--fail-on is for sweeps', 'load diff shows the shift of probes');
  const [before, after] = found.map(([first, ...others], place) => {
    if (first === undefined || first.probe === null || others.length > 0)
      throw usageError('a series of probes is compared with one other', 'name one before and one after');
    return { found: first, side: probeSideOf(first, place === 0 ? 'before' : 'after') };
  }) as [ProbedSide, ProbedSide];
  writeProbe(options, after.side, before.side, after.found.test);
}

interface ProbedSide {
  readonly found: FoundLoad;
  readonly side: ProbeSide;
}

const listOf = (concurrencies: readonly (number | null)[]): string =>
  concurrencies.length === 0 ? 'none' : concurrencies.map((one) => one ?? 'unknown').join(', ');

function asText(comparison: LoadComparison): string {
  const { before, after, steps, onlyBefore, onlyAfter, warnings } = comparison;
  const side = (label: string, sweep: LoadSweep): string => {
    const runs = sweep.steps.reduce((sum, step) => sum + step.runs.length, 0);
    return `${label}  ${runs} ${runs === 1 ? 'run' : 'runs'} of ${toolsOf(sweep)
      .map((tool) => loadTool(tool).label)
      .join(', ')}: ${sweep.name}`;
  };
  return asLines([
    side('before', before),
    side('after ', after),
    ...warnings.map((warning) => `warning: ${warning}`),
    ...steps.flatMap((step) => [
      '',
      `${stepTitle(step)} (${step.design.before.groups.flat().length} before, ${step.design.after.groups.flat().length} after)`,
      ...step.metrics.map((one) => `  ${one.metric.label.padEnd(7)}  ${changeText(step, one, text)}`),
    ]),
    '',
    ...comparedParagraphs(comparison, warnings).flatMap((lines) => [...lines, '']),
    ...(onlyBefore.length > 0 ? [`only before: ${listOf(onlyBefore)}`] : []),
    ...(onlyAfter.length > 0 ? [`only after: ${listOf(onlyAfter)}`] : []),
    ...(steps.some(({ design }) => !design.isReplicated) ? ['for a verdict: at least 3 runs a side at each step'] : []),
  ]);
}

/** `name`: the component, or the source of a series; absent: the whole server. A side may lack the component. */
type ComparedRow = Pick<ComparedMetric, 'metric'> &
  Pick<ComparedStep, 'concurrency'> & {
    readonly name?: string;
    readonly judgement: Partial<ComparedMetric['judgement']>;
  };

/** Values have the same units as in `load read --csv`. */
const COLUMNS: readonly ExportColumn<ComparedRow>[] = [
  { header: 'concurrency', cell: ({ concurrency }) => concurrency ?? '' },
  { header: 'metric', cell: ({ metric }) => metric.label },
  { header: 'unit', cell: ({ metric }) => metric.unit },
  { header: 'before', cell: ({ judgement }) => judgement.before ?? '' },
  { header: 'after', cell: ({ judgement }) => judgement.after ?? '' },
  { header: 'delta', cell: ({ judgement }) => judgement.delta ?? '' },
  { header: 'delta (ratio to before)', cell: ({ judgement }) => judgement.relative ?? '' },
  { header: 'interval from', cell: ({ judgement }) => judgement.interval?.[0] ?? '' },
  { header: 'interval to', cell: ({ judgement }) => judgement.interval?.[1] ?? '' },
  { header: 'q', cell: ({ judgement }) => judgement.q ?? '' },
  { header: 'verdict', cell: ({ judgement }) => judgement.verdict ?? '' },
  { header: 'component', cell: ({ name }) => name ?? '' },
];

/** Returns a line for each step and metric, followed by the tables of components and series. */
const asCsv = (comparison: LoadComparison): string =>
  csvText(comparison.warnings, COLUMNS, [
    ...[...comparison.steps, ...compareComponents(comparison)].flatMap(({ metrics, ...at }) =>
      metrics.map((one) => ({ ...one, ...at })),
    ),
    ...oneSidedComponents(comparison).flatMap(({ metrics, side, ...at }) =>
      metrics.flatMap(({ metric, mean }) => (mean === null ? [] : { metric, ...at, judgement: { [side]: mean } })),
    ),
    ...compareSeries(comparison).map((one) => ({ ...one, name: one.source })),
  ]);

function asJson(comparison: LoadComparison, results: readonly LoadConditionResult[]): string {
  return jsonText({
    ...comparisonDocument(comparison, text),
    ...(results.length === 0
      ? {}
      : {
          failOn: results.map(({ condition, status, steps: found, missingBefore, missingAfter }) => ({
            condition: condition.text,
            status,
            met: status === 'failed',
            steps: found.map(({ step, state, runsToSettle }) => ({
              concurrency: step.concurrency,
              state,
              before: step.before,
              after: step.after,
              contrast: { value: step.contrast, interval: step.interval },
              level: step.level,
              p: step.p,
              runsToSettle,
            })),
            missingBefore,
            missingAfter,
          })),
        }),
  });
}

/** Describes a condition's result: the steps that failed it, or what is undecided and how to decide it. */
function conditionLines({ condition, status, steps, ...missingOn }: LoadConditionResult): string[] {
  const start = `--fail-on ${condition.text}: ${status}`;
  const { metric } = condition;
  const missing = [missingOn.missingBefore, missingOn.missingAfter].flatMap((found, side) =>
    found.map(
      (concurrency) =>
        `${start}: ${stepTitle({ concurrency })}: not every run ${['before', 'after'][side]!} has a ${metric.id}`,
    ),
  );
  if (steps.length === 0 && missing.length === 0) {
    const none =
      condition.concurrency === null
        ? `no step of both sides reports ${metric.id}`
        : `${stepTitle(condition)}: no ${metric.id} before`;
    return [`${start}: ${none}`];
  }
  const say = ({ step, state, runsToSettle }: StepEvidence): string => {
    const { before, after, level, interval, contrast } = step;
    const range = interval?.map((end) => text.delta(metric, end - contrast + after - before)).join(' to ');
    const certainty = range === undefined ? 'no interval' : `${range}, ${levelText(level!)} interval`;
    const more = runsToSettle === null ? '' : `; ${runsToSettle} runs a side would settle it`;
    return `${start}: ${stepTitle(step)}: ${text.value(metric, before)} → ${text.value(metric, after)} (${certainty})${state === 'undecided' ? more : ''}`;
  };
  const shown = { failed: 'beyond', inconclusive: 'undecided', passed: 'within' } as const;
  return [...steps.filter(({ state }) => state === shown[status]).map(say), ...missing];
}
