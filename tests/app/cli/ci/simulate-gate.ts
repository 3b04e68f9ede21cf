import type { SizedMetrics } from '#core/compare/statistics/judge-by-size.ts';
import { HEAVY_SHARE } from '#core/compare/statistics/false-discovery.ts';
import { decideLook, looksAt, type GateDecision, type JudgedCondition } from '#app/cli/ci/interim-looks.ts';
import {
  CALM,
  judgeSides,
  randomOf,
  simulateSide,
  zipf,
  type Program,
  type SimulatedSide,
} from '../../../core/compare/simulate.ts';

/** A benchmark of which every run does the same work, recorded alternately with its head. */
export interface SimulatedGate {
  readonly functions: number;
  /** Samples of a run. */
  readonly samples: number;
  /** Deviation of a whole run, as of contention on the runner, and of each function by itself. */
  readonly globalNoise: number;
  readonly ownNoise: number;
  /** Factor of the function with 20 % of the weight in the head. */
  readonly change: number;
  readonly pairs: readonly [first: number, last: number];
}

/** Keeps the first captures of a side. */
function firstOf(side: SimulatedSide, count: number): SimulatedSide {
  const cut = (measures: SimulatedSide['self']): SimulatedSide['self'] => {
    const all = measures.captures.length;
    const keep = (values: Float64Array): Float64Array => values.filter((_, place) => place % all < count);
    const { sampling } = measures;
    return {
      rows: measures.rows,
      captures: measures.captures.slice(0, count),
      value: keep(measures.value),
      samples: keep(measures.samples),
      sampling: sampling && { count: keep(sampling.count), coarse: keep(sampling.coarse), fine: keep(sampling.fine) },
    };
  };
  return { self: cut(side.self), total: cut(side.total), whole: cut(side.whole) };
}

/** The condition `self(.*) > +0%`, as `judgeConditions` evaluates it. */
function growthOf(metrics: SizedMetrics): JudgedCondition {
  const functions = Array.from(metrics.self.keys());
  const matched = metrics.judgeFamily('self', functions, { factor: 1, offset: 0 }).map((family) => ({
    family,
    state: family.side === 1 ? ('beyond' as const) : family.side === -1 ? ('within' as const) : ('undecided' as const),
  }));
  const isOpen = matched.some(({ state, family }) => state === 'undecided' && family.share >= HEAVY_SHARE);
  const status = matched.some(({ state }) => state === 'beyond') ? 'failed' : isOpen ? 'inconclusive' : 'passed';
  return { condition: { comparison: '>' }, status, matched };
}

/** Runs the gate, and returns its decision with the pairs that it took. */
export function simulateGate(
  { functions, samples, globalNoise, ownNoise, change, pairs: [first, last] }: SimulatedGate,
  seed: number,
): { readonly decision: GateDecision; readonly pairs: number } {
  const random = randomOf(seed);
  const rates = [0.2 * samples, ...zipf(functions - 1, 0.8 * samples)];
  const program = (tilt: Program['tilt']): Program => ({ ...CALM, globalNoise, ownNoise, rates, tilt });
  const looks = looksAt(first, last);
  const before = simulateSide(
    program(() => 1),
    looks.at(-1)!,
    random,
  );
  const after = simulateSide(
    program((row) => (row === 0 ? change : 1)),
    looks.at(-1)!,
    random,
  );
  for (const [place, pairs] of looks.entries()) {
    const metrics = judgeSides(firstOf(before, pairs), firstOf(after, pairs));
    const isLast = place === looks.length - 1;
    const decision = decideLook([growthOf(metrics)], { looks: looks.length, isLast, passesUndecided: true });
    if (decision !== null) return { decision, pairs };
  }
  throw new Error('the last look decides');
}
