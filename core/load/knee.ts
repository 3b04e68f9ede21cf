import { LEAST_REPLICATES } from '../compare/measure/measures.ts';
import { studentQuantile } from '../compare/statistics/student.ts';
import { welchVariance } from '../compare/statistics/test-row.ts';
import { stepTitle, type LoadText } from './load-text.ts';
import { boundText, kneeOf, loadMetric, meetsBound, meanOf, valuesOf, type LoadStep, type LoadSweep } from './sweep.ts';
import { varianceOfMean } from './variance-of-mean.ts';

/** What a sweep shows of its knee. */
export interface ShownKnee {
  /** Null: the runs show none. */
  readonly step: LoadStep | null;
  /** `knee: 50 connections (…)`, or `no knee found: …`. */
  readonly sentence: string;
}

/**
 * Returns the knee that a sweep's runs show: the step with the highest QPS within the bound, if a step beyond it misses
 * the bound or answers fewer requests per second by more than the interval of the difference. The intervals hold for
 * all pairs of steps together (Bonferroni), because the highest step is chosen by the same runs.
 */
export function shownKnee(sweep: LoadSweep, text: LoadText): ShownKnee {
  const { steps } = sweep;
  const peak = kneeOf(sweep);
  const none = (why: string): ShownKnee => ({ step: null, sentence: `no knee found: ${why}` });
  if (peak === null) return none(`no step has ${boundText(sweep)}`);
  const title = stepTitle(peak);
  const found = (why: string): ShownKnee => ({
    step: peak,
    sentence: `knee: ${title} (highest QPS with ${boundText(sweep)}; ${why})`,
  });
  const beyond = steps.slice(steps.indexOf(peak) + 1);
  if (beyond.length === 0) return none(`QPS is highest at the last step, ${title}`);
  const missed = beyond.find((step) => meetsBound(step, sweep.bound) === false);
  if (missed !== undefined) return found(`beyond it, ${stepTitle(missed)} do not meet that`);
  const pairs = (steps.length * (steps.length - 1)) / 2;
  const drops = beyond.flatMap((step) => dropTo(step, peak, 0.05 / pairs) ?? []);
  if (drops.length === 0) return none(`it takes ${LEAST_REPLICATES} runs of each step`);
  const drop = drops.find(({ delta, reach }) => delta > reach);
  if (drop === undefined) return none(`QPS does not fall by more than its interval beyond ${title}`);
  const qps = loadMetric('qps');
  return found(
    `QPS is ${text.value(qps, drop.delta)} ± ${text.value(qps, drop.reach)} lower at ${stepTitle(drop.step)}`,
  );
}

/** Returns the knee as a note of a sweep, of two with its side; empty with a single step. */
export const kneeNotes = (sweep: LoadSweep, text: LoadText, side: 'only' | 'before' | 'after' = 'only'): string[] =>
  sweep.steps.length > 1 ? [`${side === 'only' ? '' : `${side}: `}${shownKnee(sweep, text).sentence}`] : [];

interface Drop {
  readonly step: LoadStep;
  readonly delta: number;
  readonly reach: number;
}

/** Returns by how much QPS is lower than at the peak, with Welch's interval; null with too few runs. */
function dropTo(step: LoadStep, peak: LoadStep, error: number): Drop | null {
  const qps = loadMetric('qps');
  const [high, low] = [peak, step].map((one) => varianceOfMean(valuesOf(one, qps)));
  if (!high || !low) return null;
  const { ofMean, freedom } = welchVariance([high, low]);
  const delta = meanOf(peak, qps)! - meanOf(step, qps)!;
  return { step, delta, reach: ofMean === 0 ? 0 : studentQuantile(error, freedom) * Math.sqrt(ofMean) };
}
