import type { Params } from '#core/contract/contract.ts';
import type { EngineClient } from '../engine-client.ts';
import type { Store } from '../store.ts';
import type { TabActions } from '../tabs/actions.ts';
import type { WorkbenchState } from '../workbench-state.ts';

interface WatchNeeds {
  readonly engine: EngineClient;
  readonly store: Store<WorkbenchState>;
  readonly tabs: Pick<TabActions, 'openLive'>;
}

/**
 * Watches the process that a command line names. If its host is not connected yet, or a check fails, the dialog shows
 * that.
 */
export async function watchNamed({ engine, store, tabs }: WatchNeeds, wish: Params<'live.plan'>): Promise<void> {
  const { target, options } = wish;
  const plan = await engine.call('live.plan', wish).catch(() => null);
  if (plan?.confirmation) {
    const { liveId, title } = await engine.call('live.start', { confirmation: plan.confirmation });
    return tabs.openLive(liveId, title);
  }
  store.set({
    dialog: {
      kind: 'record',
      purpose: { kind: 'live' },
      targets: [target],
      initial: { options, process: await findProcess(engine, wish) },
    },
  });
}

async function findProcess(engine: EngineClient, { target, options }: Params<'live.plan'>) {
  if (options.scope.kind !== 'pid') return null;
  const { pid } = options.scope;
  const listed = await engine.call('target.processes', { target }).catch(() => null);
  return listed?.processes.find((row) => row.pid === pid) ?? null;
}
