import { levelText } from '../compare/describe-change.ts';
import { maybeReason, runCounts } from '../compare/verdict-words.ts';
import type { ComparedMetric, LoadComparison } from './compare-sweeps.ts';
import { headlineText } from './change-text.ts';
import { compareSeries, seriesFindings } from './compare-series.ts';
import {
  capturesAt,
  compareComponents,
  componentMetric,
  cpuChange,
  isCertain,
  oneSidedComponents,
  profiledComponent,
  type ComparedComponent,
  type RunsOfSides,
} from './components.ts';
import { andText, stepTitle, type LoadText } from './load-text.ts';
import { DEFAULT_KNEE, errorsOf, kneeOf, loadMetric, type AnyMetric, type LoadMetricId } from './sweep.ts';
import { SIDES, type Side } from '../contract/side.ts';

/** Success comes first, if it tells. */
const CONCLUDED = ['qps', 'p50', 'p99', 'cpu'] as const satisfies readonly LoadMetricId[];

/** Stands in the place of the functions that changed. */
export const NO_FUNCTIONS = 'Functions were not compared: a side has no run with a profile.';

/** The step that a comparison's conclusion speaks of: the knee before, else the last one; null without a step. */
export const concludedStep = ({ before, steps }: Pick<LoadComparison, 'before' | 'steps'>): number | null => {
  const knee = kneeOf(before)?.concurrency;
  const found = steps.find(({ concurrency }) => concurrency === knee) ?? steps.at(-1);
  return found?.concurrency ?? null;
};

/**
 * Returns the step whose captures are compared: that of the conclusion, or, without captures of both sides there, the
 * last one that has some; null without a step.
 */
export function profiledStep(comparison: LoadComparison, sides: RunsOfSides): number | null {
  const concluded = concludedStep(comparison);
  const steps = [concluded, ...comparison.steps.map(({ concurrency }) => concurrency).toReversed()];
  const found = steps.find((at) => [sides.before, sides.after].every((runs) => capturesAt(runs, at).length > 0));
  return found ?? concluded;
}

/** Returns ` of app at 50 connections`: what the compared functions are of, as far as the sides leave a choice. */
export function comparedPart(comparison: LoadComparison, sides: RunsOfSides): string {
  const at = profiledStep(comparison, sides);
  const component = profiledComponent(comparison, sides, at);
  const components = new Set(compareComponents(comparison).map(({ name }) => name));
  const of = component === null || components.size < 2 ? '' : ` of ${component.name}`;
  return `${of}${at === concludedStep(comparison) ? '' : ` at ${stepTitle({ concurrency: at })}`}`;
}

/**
 * Returns what two sides of a server show under load, a sentence each: answers, latency and CPU at one step, the
 * component that changed most, series, what limits the comparison, and what was not tested.
 */
export function concludeLoad(comparison: LoadComparison, text: LoadText): string[] {
  const at = concludedStep(comparison);
  const step = comparison.steps.find(({ concurrency }) => concurrency === at);
  if (step === undefined) return ['The sides have no step in common: nothing is compared.'];
  const reason = maybeReason(step.design, runCounts(step.design));
  const find = (id: LoadMetricId): ComparedMetric[] => step.metrics.filter(({ metric }) => metric.id === id);
  const success = find('success').filter((one) => isTelling(one, comparison));
  const metrics = [...success, ...CONCLUDED.flatMap(find)];
  const said = metrics.map((one) => headlineText(one.metric.label, step, one, text));
  const missing = CONCLUDED.filter((id) => metrics.every(({ metric }) => metric.id !== id));
  const compared = compareComponents(comparison).filter(({ concurrency }) => concurrency === at);
  const hops = componentChanges(compared, 'p99', text);
  const failed =
    success.length > 0 && hasFailedAnswers(comparison, at) ? ' QPS and latencies include failed answers.' : '';
  const isUnchanged = metrics.length > 0 && metrics.every(({ judgement }) => judgement.verdict === 'noise');
  return [
    ...(isUnchanged && success.length === 0 ? [`No clear change at ${stepTitle(step)}.`] : []),
    `At ${stepTitle(step)}: ${said.join('; ')}.${failed}`,
    ...(isUnchanged ? largestDifference(metrics, text) : []),
    ...cpuByComponent(compared, reason === null, text),
    ...(hops.length === 0 ? [] : [`p99 of each component: ${hops.join('; ')}.`]),
    ...SIDES.flatMap((side) => onlyOn(side, comparison, at, text)),
    ...comparison.growth,
    ...seriesFindings(compareSeries(comparison), text),
    ...comparison.populations,
    ...comparison.warnings,
    ...(missing.length === 0
      ? []
      : [`Not tested, because a side lacks it: ${missing.map((id) => loadMetric(id).label).join(', ')}.`]),
    ...(reason === null ? [] : [`Nothing is decided: ${reason}; at least 3 turns of each side are needed.`]),
  ];
}

/** Whether success changed, or is below the knee's bound on a side: the other metrics do not tell then. */
const isTelling = ({ judgement: { verdict, ...means } }: ComparedMetric, sweeps: LoadComparison): boolean =>
  ['grew', 'shrank', 'suggestive'].includes(verdict) ||
  SIDES.some((side) => means[side] < (sweeps[side].bound ?? DEFAULT_KNEE).leastSuccess);

const hasFailedAnswers = (sweeps: LoadComparison, at: number | null): boolean =>
  SIDES.some((side) =>
    sweeps[side].steps.some(
      (step) => step.concurrency === at && errorsOf(step).some(({ kind, count }) => kind === 'status' && count > 0),
    ),
  );

/**
 * Says what differences these runs exclude: by metric, the end of its interval that is farther from
 * no change, rounded up; of 100 % and more, it excludes nothing.
 */
function largestDifference(metrics: readonly ComparedMetric[], text: LoadText): string[] {
  const level = metrics[0]?.judgement.level ?? null;
  const bounds = metrics.flatMap(({ metric: { label }, judgement: { before, interval } }) => {
    if (interval === null || !(before > 0)) return [];
    return [{ label, largest: Math.ceil((1000 * Math.max(...interval.map(Math.abs))) / before) / 1000 }];
  });
  if (level === null) return [];
  const [known, open] = [bounds.filter(({ largest }) => largest < 1), bounds.filter(({ largest }) => largest >= 1)];
  const said = known.map(({ label, largest }) => `${text.relative(largest).replace('+', '')} in ${label}`);
  return [
    ...(known.length === 0 ? [] : [`No difference larger than ${andText(said)} (${levelText(level)} intervals).`]),
    ...(open.length === 0
      ? []
      : [`The runs vary too much to exclude any change of ${andText(open.map(({ label }) => label))}.`]),
  ];
}

/** Returns `Only before: proxy, 200 µs per request.` */
function onlyOn(side: Side, comparison: LoadComparison, at: number | null, text: LoadText): string[] {
  const said = oneSidedComponents(comparison)
    .filter((one) => one.side === side && one.concurrency === at)
    .map(({ name, metrics }) => {
      const { metric, mean } = metrics.find((one) => one.metric.id === 'cpu')!;
      return mean === null ? name : `${name}, ${text.value(metric, mean)} per request`;
    });
  return said.length === 0 ? [] : [`Only ${side}: ${said.join('; ')}.`];
}

/** Says which component to blame: the first, if its change is certain. */
function cpuByComponent(compared: readonly ComparedComponent[], isReplicated: boolean, text: LoadText): string[] {
  const said = componentChanges(compared, 'cpu', text);
  if (said.length < 2) return [];
  const sizes = compared.map(cpuChange);
  const isBySize = sizes.every((size, place) => place === 0 || size <= sizes[place - 1]!);
  const none = isReplicated && !compared.some(isCertain) ? ' No component’s change is certain.' : '';
  return [
    `CPU per request by component, ${isBySize ? 'the largest change' : 'certain changes'} first: ${said.join('; ')}.${none}`,
  ];
}

const componentChanges = (components: readonly ComparedComponent[], id: AnyMetric['id'], text: LoadText): string[] =>
  components.flatMap((one) => {
    const found = componentMetric(one, id);
    return found === undefined ? [] : [headlineText(one.name, one, found, text)];
  });
