import { marginOf } from '../compare/describe-change.ts';
import { maybeReason, runCounts, judgementText } from '../compare/verdict-words.ts';
import { FAMILY_TEXT, type ComparedMetric, type ComparedStep, type LoadComparison } from './compare-sweeps.ts';
import type { LoadErrorKind } from '../contract/load/result.ts';
import { SIDES } from '../contract/side.ts';
import { populationNotes } from './describe-answers.ts';
import { partText, sidesText } from './change-text.ts';
import { compareSeries, seriesFindings } from './compare-series.ts';
import { loadTool } from './load-tools.ts';
import { kneeNotes, shownKnee } from './knee.ts';
import { growthText } from './series/growth.ts';
import { stepNumber, stepTitle, type LoadTable, type LoadText } from './load-text.ts';
import {
  errorsOf,
  hasNoSuccess,
  LOAD_METRICS,
  meanOf,
  notesOf,
  toolsOf,
  valuesOf,
  type LoadStep,
  type LoadSweep,
} from './sweep.ts';

const KIND_WORDS: Readonly<Record<LoadErrorKind, string>> = {
  connect: 'connect',
  read: 'read',
  write: 'write',
  timeout: 'timeout',
  status: 'status',
  length: 'changed length',
  other: 'other',
};

/** Describes a step's errors: `status 503: 40, timeout: 3`; empty without errors. */
export function errorsText(step: LoadStep): string {
  const counts = new Map<string, number>();
  for (const { kind, detail, count } of errorsOf(step)) {
    const short = kind === 'status' && /^\d{3}$/.test(detail) ? `${KIND_WORDS[kind]} ${detail}` : KIND_WORDS[kind];
    counts.set(short, (counts.get(short) ?? 0) + count);
  }
  return [...counts].map(([short, count]) => `${short}: ${count}`).join(', ');
}

/** Returns the steps of a sweep as texts: means over the runs, the knee, and errors in the last column. */
export function stepsTable(
  sweep: LoadSweep,
  text: LoadText,
  nameOf: (step: LoadStep) => string = stepNumber,
): LoadTable {
  const metrics = LOAD_METRICS.filter((metric) => sweep.steps.some((step) => meanOf(step, metric) !== null));
  const knee = shownKnee(sweep, text).step;
  return {
    names: 1,
    header: ['Connections', 'Runs', ...metrics.map(({ label }) => label), 'Errors'],
    rows: sweep.steps.map((step) => [
      `${nameOf(step)}${step === knee ? ' (knee)' : ''}`,
      String(step.runs.length),
      ...metrics.map((metric) => text.value(metric, meanOf(step, metric))),
      errorsText(step),
    ]),
  };
}

/** Returns the changes of two sweeps as texts: a row for each metric of each step. */
export const stepChanges = ({ steps }: LoadComparison, text: LoadText): LoadTable => ({
  names: 2,
  header: ['Step', 'Metric', 'Before → after', 'Δ'],
  rows: steps.flatMap((step) =>
    step.metrics.map((one) => [stepTitle(step), one.metric.label, sidesText(one, text), partText(step, one, text)]),
  ),
});

/** Returns a sentence if no request of any run succeeded; null otherwise, and without runs. */
export function failedWhole(runs: LoadStep['runs']): string | null {
  if (runs.length === 0 || !runs.every(hasNoSuccess)) return null;
  return `Every request failed: ${errorsText({ concurrency: null, runs }) || 'there were no answers'}.`;
}

/** Returns what the runs of a sweep show beside its metrics: series that grew, populations of latencies. */
const findingNotes = (sweep: LoadSweep): string[] => [
  ...(sweep.growth ?? []).map((one) => `${growthText(one)}.`),
  ...populationNotes(sweep),
  ...(sweep.probed ?? []),
];

/** Returns what a reader of a sweep must know: its findings, the notes of its runs, then the caveat of each tool. */
export const sweepNotes = (sweep: LoadSweep): string[] => [...findingNotes(sweep), ...runNotes(sweep)];

/** Returns what a reader of one sweep or two must know, each once: findings of two sides say on which side they are. */
export const sidesNotes = (
  sides: readonly { readonly role: 'only' | 'before' | 'after' | 'hop'; readonly sweep: LoadSweep }[],
  comparison: LoadComparison | null,
  text: LoadText,
): string[] => {
  const notes = sides.map(({ sweep }) => runNotes(sweep));
  return [
    ...new Set([
      ...(comparison === null
        ? sides.flatMap(({ sweep }) => findingNotes(sweep))
        : [
            ...comparison.warnings,
            ...comparison.growth,
            ...seriesFindings(compareSeries(comparison), text),
            ...comparison.populations,
            FAMILY_TEXT,
          ]),
      ...sides.flatMap(({ sweep, role }, place) => [
        ...(role === 'hop' ? [] : kneeNotes(sweep, text, role)),
        ...notes[place]!.map((note) => {
          const isOfAll = comparison === null || notes.every((own) => own.includes(note));
          return isOfAll ? note : `${role}: ${note}`;
        }),
      ]),
    ]),
  ];
};

/** Returns what a reader of two sweeps must know, a sentence each. */
export const comparisonNotes = (comparison: LoadComparison, text: LoadText): string[] =>
  sidesNotes(
    SIDES.map((role) => ({ role, sweep: comparison[role] })),
    comparison,
    text,
  );

function runNotes(sweep: LoadSweep): string[] {
  const runs = sweep.steps.reduce((sum, step) => sum + step.runs.length, 0);
  return [
    ...notesOf(sweep.steps.flatMap((step) => step.runs)).map(({ note, runs: with_ }) =>
      runs === 1 ? note : `${with_} of ${runs} runs: ${note}`,
    ),
    ...(sweep.profileNotes ?? []),
    ...partlyReported(sweep),
    ...toolsOf(sweep).map((tool) => `${loadTool(tool).label}: ${loadTool(tool).caveat}`),
  ];
}

/** Says which means are not those of all runs. */
function partlyReported({ steps }: LoadSweep): string[] {
  return steps.flatMap((step) => {
    const counts = LOAD_METRICS.map((metric) => ({ metric, runs: valuesOf(step, metric).length }));
    return [...new Set(counts.map(({ runs }) => runs))].flatMap((runs) => {
      if (runs === 0 || runs === step.runs.length) return [];
      const labels = counts.filter((one) => one.runs === runs).map(({ metric }) => metric.label);
      const [are, them] = labels.length === 1 ? ['is the mean', 'it'] : ['are means', 'them'];
      return [
        `${labels.join(', ')} at ${stepTitle(step)} ${are} of the ${runs} of ${step.runs.length} runs that report ${them}.`,
      ];
    });
  });
}

/** Describes a metric's change: `1,020 → 1,240, +220 ± 31 (+21.6 %): ▲ grew`. */
export function changeText({ design }: ComparedStep, one: ComparedMetric, text: LoadText): string {
  const { metric, judgement } = one;
  const { delta, relative, interval } = judgement;
  const reach = interval === null ? '' : ` ± ${text.delta(metric, marginOf(interval)).replace('+', '')}`;
  const part = relative === null ? '' : ` (${text.relative(relative)})`;
  const verdict = judgementText(judgement, maybeReason(design, runCounts(design)));
  return `${sidesText(one, text)}, ${text.delta(metric, delta)}${reach}${part}: ${verdict}`;
}
