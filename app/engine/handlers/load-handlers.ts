import { loadMethods, type LoadAnswer, type LoadMethod, type LoadParams } from '#core/contract/load/methods.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import { totalProbeText } from '#core/load/describe-probe.ts';
import { redactText } from '#core/redact/secret-shapes.ts';
import { EngineFailure } from '../failure.ts';
import type { Experiments } from '../experiments/experiments.ts';
import { done, answerMethod, type Handlers } from '../http/rpc.ts';
import type { Library } from '../library/library.ts';
import { collectorsWith } from '#collectors/registry.ts';
import { createConfirmations } from '../recording/confirmations.ts';
import type { Targets } from '../targets/targets.ts';
import { findComponents } from '../loads/find-components.ts';
import { openLoadTests } from '../loads/load-tests.ts';
import { planExperiment, startExperiment, type ExperimentSession } from '../loads/experiment-session.ts';
import { planLoad, plannedText, type ServerAccess } from '../loads/plan-load.ts';
import { startLoad, type LoadSession } from '../loads/run-load.ts';
import { planProbe, probeCommands, startProbe } from '../loads/run-probe.ts';

interface LoadParts {
  readonly library: Library;
  readonly targets: Targets;
  readonly experiments: Experiments;
  readonly loads: RunningLoads;
}

type LoadMethodHandlers = { readonly [M in LoadMethod]: (params: LoadParams<M>) => Promise<LoadAnswer<M>> };

/** Returns the contract's method for load tests. */
export function loadHandlers(parts: LoadParts): Pick<Handlers, 'load'> {
  const handlers = methodHandlers(parts);
  return { load: (call) => answerMethod(loadMethods, handlers, call, 'load tests') };
}

/** What runs: a load test, a series of probes, or an experiment. */
type Session = Pick<LoadSession, 'id' | 'stop' | 'cancel'> & { readonly done: Promise<unknown> };

/** By ID. */
export type RunningLoads = Map<string, Session>;

/** Ends all, as their users can; resolves once nothing of them runs. */
export async function endLoads(loads: RunningLoads): Promise<void> {
  for (const load of loads.values()) load.stop();
  await Promise.allSettled([...loads.values()].map(({ done }) => done));
}

function methodHandlers({ library, targets, experiments, loads }: LoadParts): LoadMethodHandlers {
  const opened = openLoadTests(library);
  const confirmations = createConfirmations<() => Promise<Session>>('load test');
  let lastExperiment: ExperimentSession | null = null;
  const access: ServerAccess = {
    open: (targetId) => targets.open(targetId),
    collector: collectorsWith({}),
  };
  const recordedInto = { library, journal: targets.journal };
  return {
    list: async () => {
      const { tests, damaged } = await (await opened).list();
      return {
        tests: tests.map(({ runs, probe, ...test }) => ({
          ...test,
          runs: runs.length,
          ...(probe === undefined ? {} : { probes: probe.samples.length }),
        })),
        damaged: [...damaged],
      };
    },
    get: async ({ id }) => (await opened).get(id),
    keep: async ({ name, kept }) => {
      const probe = 'probe' in kept ? { probe: kept.probe } : {};
      const writer = await (await opened).create({ name, host: null, plan: null, ...probe });
      for (const result of 'results' in kept ? kept.results : []) await writer.add({ startedAt: null, result }, '');
      return writer.finish('finished');
    },
    trash: async ({ id }) => done((await opened).trash(id)),
    find: async ({ target, ...asked }) => findComponents(await targets.open(target), asked),
    plan: async ({ target: id, name, plan }) => {
      const target = await targets.open(id);
      const planned = await planLoad(target, plan, access);
      const url = redactText(plan.url);
      const confirmation = confirmations.add(async () =>
        startLoad(await targets.open(id), planned, {
          name: name.trim() === '' ? url : name,
          tests: await opened,
          recordedInto,
          keepsFailure: true,
        }),
      );
      const host = id === LOCAL_TARGET ? 'this machine' : target.host;
      return {
        confirmation,
        total: plannedText(planned, host),
        leftOut: planned.leftOut,
        commands: planned.commands.map((argv) => [...argv]),
      };
    },
    planProbe: async ({ target: id, name, plan }) => {
      const target = await targets.open(id);
      const program = await planProbe(target, plan);
      const url = redactText(plan.url);
      const confirmation = confirmations.add(async () =>
        startProbe(await targets.open(id), program, plan, {
          name: name.trim() === '' ? url : name,
          tests: await opened,
          keepsFailure: true,
        }),
      );
      const host = id === LOCAL_TARGET ? 'this machine' : target.host;
      const restart = plan.restart === null ? null : redactText(plan.restart);
      return {
        confirmation,
        total: totalProbeText({ ...plan, url, restart }, host),
        leftOut: null,
        commands: probeCommands(program, plan),
      };
    },
    planExperiment: async ({ plan }) => {
      const planned = await planExperiment(await targets.open(LOCAL_TARGET), plan, access);
      const confirmation = confirmations.add(async () => {
        const parts = { tests: await opened, experiments, access, recordedInto };
        const session = startExperiment(await targets.open(LOCAL_TARGET), planned, parts);
        lastExperiment = session;
        return { ...session, cancel: () => session.stop() };
      });
      const { total, leftOut, commands } = planned;
      return { confirmation, total, leftOut, commands: commands.map((argv) => [...argv]) };
    },
    experiment: () => Promise.resolve({ status: lastExperiment?.status() ?? null }),
    start: async ({ confirmation }) => {
      if (loads.size > 0) {
        throw new EngineFailure(
          'in-use',
          'A load test is running.',
          'Stop it first: two at a time would measure each other.',
        );
      }
      const session = await confirmations.take(confirmation)();
      loads.set(session.id, session);
      // The stored test has the outcome; without a single run there is no test.
      void session.done.catch(() => undefined).finally(() => loads.delete(session.id));
      return { id: session.id };
    },
    stop: ({ id }) => done(loads.get(id)?.stop()),
    cancel: ({ id }) => done(loads.get(id)?.cancel()),
  };
}
