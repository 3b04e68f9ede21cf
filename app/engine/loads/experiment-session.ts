import { randomUUID } from 'node:crypto';
import type { ExperimentPlan, ExperimentStatus, SideServer } from '#core/contract/load/experiment.ts';
import { MIN_PROFILED_SECONDS, type LoadPlan, type Watched } from '#core/contract/load/load-test.ts';
import type { LoadResult } from '#core/contract/load/result.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import { SIDES, type Side } from '#core/contract/side.ts';
import { createDecider, LOOKS } from '#core/load/decide.ts';
import { decisionText, experimentLines, experimentName } from '#core/load/experiment-plan.ts';
import { LOAD_METRICS, loadMetric, meanOf, sweepOf, type LoadMetric } from '#core/load/sweep.ts';
import type { Target } from '#collectors/target/target.ts';
import type { Experiments } from '../experiments/experiments.ts';
import { EngineFailure } from '../failure.ts';
import { checkUrl } from './check-url.ts';
import { isLoopback, isOwn } from './check-url.ts';
import { sideCommand, watchedOf } from './experiment-server.ts';
import { runExperiment } from './run-experiment.ts';
import { checkPlan, planLoad, type ServerAccess } from './plan-load.ts';
import type { StartLoad } from './run-load.ts';

/** An experiment that is ready to start; exactly these commands will run. */
export interface PlannedExperiment {
  readonly plan: ExperimentPlan;
  /** Both sides and the turns, a line each. */
  readonly total: string;
  readonly leftOut: string | null;
  /** Those that start or switch the server, then those of the load. */
  readonly commands: readonly (readonly string[])[];
}

/** Checks addresses, the load tool and the question. Rejects with an `EngineFailure`; nothing of a side runs. */
export async function planExperiment(
  target: Target,
  plan: ExperimentPlan,
  access: ServerAccess,
): Promise<PlannedExperiment> {
  const { sides, server, until } = plan;
  if (server.ready !== null) checkUrl(server.ready);
  for (const side of SIDES) checkUrl(sides[side].url);
  if (until !== null) metricOf(until.metric);
  if (plan.profile !== null && plan.load.seconds < MIN_PROFILED_SECONDS) {
    throw new EngineFailure(
      'too-short',
      `A run of ${plan.load.seconds} s is too short for a profile.`,
      `Give it at least ${MIN_PROFILED_SECONDS} s, or choose no profile.`,
    );
  }
  const loads = [];
  if (plan.profile !== null && SIDES.some((side) => !isHere(sides[side]))) {
    throw new EngineFailure(
      'not-here',
      'Profiles are of servers on this machine.',
      'Choose no profile, or give addresses of this machine.',
    );
  }
  checkPlan({ ...loadPlanOfTurn(plan, 'before', { pids: [1] }), repeats: pairsOf(plan) });
  for (const side of SIDES) {
    // Series name components, which are known once a side runs.
    const { series: _, ...load } = loadPlanOfTurn(plan, side, null);
    loads.push(await planLoad(target, load, access));
  }
  const commands = [
    ...SIDES.flatMap((side) => {
      const argv = sideCommand(sides[side], server);
      return argv === null ? [] : [argv];
    }),
    ...loads.flatMap((load) => load.commands),
  ];
  return {
    plan,
    total: experimentLines(
      sides,
      pairsOf(plan),
      loads[0]!.plan,
      until?.minutes ?? null,
      plan.profile,
      await watchedLines(target, plan),
      loads[0]!.senders.map((sender) => sender.target.host),
    ).join('\n'),
    leftOut: loads[0]!.leftOut,
    commands: [...new Map(commands.map((argv) => [argv.join('\0'), argv])).values()],
  };
}

/** Returns whether a side's server can be watched: at this machine's loopback, or started here at another address of it. */
export const isHere = ({ url, start }: SideServer): boolean => isLoopback(url) || (start !== null && isOwn(url));

/** Says which processes of servers that run already are watched; those of a command are known once it runs. */
export async function watchedLines(
  target: Target,
  { sides, server }: Pick<ExperimentPlan, 'sides' | 'server'>,
): Promise<string[]> {
  const lines = [];
  for (const side of SIDES) {
    const { sentence } = sides[side].start === null ? await watchedOf(target, sides[side].url, server) : NONE;
    if (sentence !== null) lines.push(sentence);
  }
  return [...new Set(lines)];
}

const NONE = { sentence: null };

const pairsOf = ({ pairs, until }: ExperimentPlan): number => (until === null ? pairs : LOOKS.at(-1)!);

function metricOf(id: string): LoadMetric {
  const found = LOAD_METRICS.find((metric) => metric.id === id);
  if (found !== undefined) return found;
  const known = LOAD_METRICS.map((metric) => metric.id).join(', ');
  throw new EngineFailure('invalid-arguments', `Unknown metric: ${JSON.stringify(id)}.`, `Use ${known}.`);
}

/** Returns the runs of a turn. `watched`: the processes of the server; null: none. */
const loadPlanOfTurn = ({ sides, load, profile }: ExperimentPlan, side: Side, watched: Watched | null): LoadPlan => ({
  ...load,
  url: sides[side].url,
  repeats: 1,
  ...(watched === null ? {} : { server: { target: LOCAL_TARGET, ...watched, profile } }),
});

/** A running experiment, or one that ended. */
export interface ExperimentSession {
  readonly id: string;
  readonly status: () => ExperimentStatus;
  /** Resolves once nothing is running. */
  readonly done: Promise<void>;
  /** Ends it; complete runs are kept once each side has one. Idempotent. */
  stop(): void;
}

interface SessionParts extends Required<Pick<StartLoad, 'tests' | 'recordedInto'>> {
  readonly experiments: Experiments;
  readonly access: ServerAccess;
}

export function startExperiment(
  target: Target,
  { plan, total }: PlannedExperiment,
  parts: SessionParts,
): ExperimentSession {
  const { sides, server, until } = plan;
  const id = `experiment-run-${randomUUID()}`;
  const ending = new AbortController();
  const results: Record<Side, LoadResult[]> = { before: [], after: [] };
  let side: Side = 'before';
  let said: Pick<
    ExperimentStatus,
    'state' | 'message' | 'remedy' | 'turn' | 'now' | 'watched' | 'decision' | 'experiment'
  > = {
    state: 'running',
    message: null,
    remedy: null,
    turn: null,
    now: null,
    watched: [],
    decision: null,
    experiment: null,
  };
  const name = plan.name.trim() === '' ? experimentName(sides) : plan.name;
  const question = until === null ? null : { metric: metricOf(until.metric), smallerThan: until.smallerThan };
  const end = performance.now() + (until?.minutes ?? 0) * 60_000;
  const decider =
    question &&
    createDecider(
      question,
      () => performance.now() > end,
      () => undefined,
    );
  const done = runExperiment(target, {
    name,
    sides,
    server,
    pairs: pairsOf(plan),
    isDecided: decider?.isDecided ?? (() => false),
    planOf: (of, watched) => loadPlanOfTurn(plan, of, watched),
    ...parts,
    signal: ending.signal,
    onTurn(turn) {
      side = turn.side;
      said = { ...said, turn, now: null };
    },
    onWatched(of, sentence) {
      said = { ...said, watched: [...said.watched, `${of}: ${sentence}`] };
    },
    onProgress({ concurrency, phase, result, isExtra }) {
      if (result !== null && !isExtra) results[side].push(result);
      said = { ...said, now: { concurrency, phase } };
    },
  }).then(
    (ran) => {
      const failure = ran === null || ran.failure === null ? null : failureOf(ran.failure);
      said = {
        ...said,
        state: failure !== null ? 'failed' : ran === null || ending.signal.aborted ? 'stopped' : 'finished',
        ...failure,
        now: null,
        decision: question === null || ran === null ? null : decisionText(question, decider?.decision() ?? null),
        experiment: ran?.state.experiment.id ?? null,
      };
    },
    (error: unknown) => {
      said = { ...said, ...failureOf(error), state: 'failed', now: null };
    },
  );
  return {
    id,
    status: () => ({ id, name, total, pairs: pairsOf(plan), steps: stepsOf(results), ...said }),
    done,
    stop: () => ending.abort(),
  };
}

function failureOf(error: unknown): Pick<ExperimentStatus, 'message' | 'remedy'> {
  if (error instanceof EngineFailure) return { message: error.message, remedy: error.remedy };
  return { message: error instanceof Error ? error.message : 'It ended for an unknown reason.', remedy: null };
}

function stepsOf(results: Readonly<Record<Side, readonly LoadResult[]>>): ExperimentStatus['steps'] {
  const sweeps = { before: sweepOf('', results.before), after: sweepOf('', results.after) };
  const all = [...results.before, ...results.after].map(({ concurrency }) => concurrency);
  return [...new Set(all)]
    .sort((a, b) => (a ?? Infinity) - (b ?? Infinity))
    .map((concurrency) => {
      const of = (side: Side): ExperimentStatus['steps'][number]['before'] => {
        const step = sweeps[side].steps.find((one) => one.concurrency === concurrency);
        return { runs: step?.runs.length ?? 0, qps: step === undefined ? null : meanOf(step, loadMetric('qps')) };
      };
      return { concurrency, before: of('before'), after: of('after') };
    });
}
