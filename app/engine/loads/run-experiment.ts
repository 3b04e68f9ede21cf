import type { ExperimentState } from '#core/contract/experiment.ts';
import type { ServerOptions, SideServer } from '#core/contract/load/experiment.ts';
import type { LoadPlan, LoadTest, Watched } from '#core/contract/load/load-test.ts';
import type { Target } from '#collectors/target/target.ts';
import type { Experiments } from '../experiments/experiments.ts';
import { EngineFailure } from '../failure.ts';
import { sideCommand, startSideServer } from './experiment-server.ts';
import { compareSweeps } from '#core/load/compare-sweeps.ts';
import { capturesToCompare } from '#core/load/components.ts';
import { profiledStep } from '#core/load/conclude.ts';
import type { LoadResult } from '#core/contract/load/result.ts';
import { SIDES, type Side } from '#core/contract/side.ts';
import { turnsOf, type Turn } from '#core/load/experiment-plan.ts';
import { sweepOf, type LoadSweep } from '#core/load/sweep.ts';
import { sweepOfTest } from '#core/load/sweep-of-test.ts';
import type { LoadTestWriter } from './load-tests.ts';
import { planLoad, type ServerAccess } from './plan-load.ts';
import { createTest, runRound, type LoadProgress, type StartLoad } from './run-load.ts';

export interface ExperimentRequest extends Pick<StartLoad, 'name' | 'tests' | 'recordedInto'> {
  readonly sides: Readonly<Record<Side, SideServer>>;
  readonly server: ServerOptions;
  /** Turns of each side, at most. */
  readonly pairs: number;
  /** Called when each side had as many turns; true ends the experiment. */
  readonly isDecided?: (before: LoadSweep, after: LoadSweep, turns: number) => boolean;
  /** Returns the runs of a turn. `watched`: the processes of the server on this machine; null: none. */
  readonly planOf: (side: Side, watched: Watched | null) => LoadPlan;
  readonly access: ServerAccess;
  readonly experiments: Experiments;
  readonly signal: AbortSignal;
  readonly onTurn: (turn: Turn) => void;
  /** Which processes of a side are watched, a sentence; once per side. */
  readonly onWatched?: (side: Side, sentence: string) => void;
  readonly onProgress: (progress: LoadProgress) => void;
}

export interface RanExperiment {
  readonly state: ExperimentState;
  readonly before: LoadTest;
  readonly after: LoadTest;
  /** Why it ended early; null if it did not. */
  readonly failure: Error | null;
}

/**
 * Loads two sides of a server in turn, and keeps a load test of each and an experiment of both. Null if it was ended
 * before each side had a run; nothing is kept then. Rejects with an `EngineFailure` likewise if a turn failed.
 */
export async function runExperiment(target: Target, request: ExperimentRequest): Promise<RanExperiment | null> {
  const { name, tests, sides, server, pairs, signal } = request;
  const writers = new Map<Side, LoadTestWriter>();
  const results: Record<Side, LoadResult[]> = { before: [], after: [] };
  let failure: Error | null = null;
  let knee: number | null = null;
  try {
    for (const [place, turn] of turnsOf(pairs).entries()) {
      if (signal.aborted) break;
      request.onTurn(turn);
      const { side, round } = turn;
      const up = await startSideServer(target, sides[side], server, signal);
      try {
        if (round === 1 && up.found.sentence !== null) request.onWatched?.(side, up.found.sentence);
        const plan = request.planOf(side, up.found.machine);
        const planned = await planLoad(target, plan, request.access);
        const title = `${name} (${side})`;
        const command = sideCommand(sides[side], server);
        const commands = [...(command === null ? [] : [storable(command)]), ...planned.commands];
        const writer = writers.get(side) ?? (await createTest(target, { ...planned, commands }, title, tests));
        writers.set(side, writer);
        const onProgress = (progress: LoadProgress): void => {
          if (progress.result !== null && !progress.isExtra) results[side].push(progress.result);
          request.onProgress(progress);
        };
        knee = await runRound(target, planned, round - 1, {
          ...request,
          name: title,
          writer,
          knee,
          rounds: pairs,
          check: up.check,
          onProgress,
        });
      } finally {
        await up.end();
      }
      const isPair = place % 2 === 1;
      if (isPair && request.isDecided?.(sweepOf('', results.before), sweepOf('', results.after), round) === true) break;
    }
  } catch (error) {
    if (error !== signal.reason) failure = toError(error);
  }
  // A server that was changed is left on the before side.
  if (sides.before.change !== null) {
    await startSideServer(target, sides.before, server, new AbortController().signal).catch((error: unknown) => {
      const missing = `The server is not back on the before side: ${toError(error).message}`;
      failure = new EngineFailure(
        'not-restored',
        failure === null ? missing : `${failure.message} ${missing}`,
        'Switch it by hand.',
      );
    });
  }
  if (results.before.length === 0 || results.after.length === 0) {
    for (const writer of writers.values()) await writer.discard();
    if (failure !== null) throw failure;
    return null;
  }
  const state = failure !== null ? 'failed' : signal.aborted ? 'stopped' : 'finished';
  const finish = (side: Side): Promise<LoadTest> => writers.get(side)!.finish(state, failure?.message ?? null);
  const [before, after] = [await finish('before'), await finish('after')];
  const failed = [before, after].find((test) => test.state === 'failed');
  if (failed !== undefined) {
    failure ??= new EngineFailure(
      'all-failed',
      `${failed.name}: ${failed.message ?? 'every request failed'}`,
      'See load show.',
    );
  }
  const comparison = compareSweeps(sweepOfTest(before), sweepOfTest(after));
  const runs = { before: before.runs, after: after.runs };
  const profiled = capturesToCompare(comparison, runs, profiledStep(comparison, runs));
  const made = await request.experiments.create({
    name,
    before: [...profiled.before],
    after: [...profiled.after],
    loads: { before: before.id, after: after.id },
  });
  await nameExperiment(made, { before, after }, request);
  return { state: made, before, after, failure };
}

/** A load test holds as many words of a command, and as much of each. */
const storable = (argv: readonly string[]): string[] => argv.slice(0, 500).map((word) => word.slice(0, 10_000));

/** Tells the captures of both sides which experiment they are of; one that was removed meanwhile is left out. */
async function nameExperiment(
  { experiment: { id, name } }: ExperimentState,
  sides: Readonly<Record<Side, LoadTest>>,
  { recordedInto }: Pick<ExperimentRequest, 'recordedInto'>,
): Promise<void> {
  for (const side of SIDES) {
    for (const one of sides[side].runs.flatMap(({ captures = [] }) => captures)) {
      const document = await recordedInto?.library.get(one.id).catch(() => null);
      if (document?.load !== undefined)
        await recordedInto!.library
          .setLoad(one.id, { ...document.load, experiment: { id, name, side } })
          .catch(() => null);
    }
  }
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
