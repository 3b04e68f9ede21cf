import type { Params } from '#core/contract/contract.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import { isLost, type EngineClient } from './engine-client.ts';
import type { Store } from './store.ts';
import type { TargetActions } from './target-actions.ts';
import type { TabActions } from './opening/actions.ts';
import type { WorkbenchState } from './workbench-state.ts';

interface WatchNeeds {
  readonly engine: EngineClient;
  readonly store: Store<WorkbenchState>;
  readonly tabs: Pick<TabActions, 'openLive'>;
  readonly targets: Pick<TargetActions, 'connectConfirmed'>;
}

/**
 * Watches the process that a command line names. Its host is connected first, which naming it there confirms. If that or
 * a check fails, the dialog shows it.
 */
export async function watchNamed(
  { engine, store, tabs, targets }: WatchNeeds,
  wish: Params<'live.plan'>,
): Promise<void> {
  const { target, options } = wish;
  if (target !== LOCAL_TARGET) {
    const { confirmation } = await engine.call('target.plan', { target });
    await targets.connectConfirmed(target, confirmation);
  }
  const plan = await engine.call('live.plan', wish).catch((error: unknown) => {
    if (isLost(error)) throw error;
    return null;
  });
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
