import { LOCAL_TARGET, type TargetList } from '#core/contract/target.ts';
import { EngineFailure } from '../failure.ts';
import type { EngineParts } from '../rpc-handlers.ts';
import type { Handlers } from '../rpc.ts';

type TargetMethod = Extract<keyof Handlers, `target.${string}`>;

export function targetHandlers({
  recorder,
  broadcast,
}: Pick<EngineParts, 'recorder' | 'broadcast'>): Pick<Handlers, TargetMethod> {
  const up = { kind: 'up', message: null, remedy: null } as const;
  const list: TargetList = {
    targets: [{ id: LOCAL_TARGET, name: 'this machine', origin: 'local', state: up, connectedAt: null }],
    offered: [],
    notes: [],
    unavailable: null,
  };
  const notYet = (): Promise<never> =>
    Promise.reject(new EngineFailure('not-available', 'Other hosts can’t be reached yet.', 'Record on this machine.'));
  return {
    'target.list': () => Promise.resolve(list),
    'target.save': notYet,
    'target.remove': notYet,
    'target.plan': notYet,
    'target.connect': ({ target }) => (target === LOCAL_TARGET ? Promise.resolve(up) : notYet()),
    'target.disconnect': notYet,
    'target.terminal': notYet,
    'target.answer': notYet,
    'target.resize': notYet,
    'target.processes': async ({ target }) => ({ processes: [...(await recorder.listProcesses(target))] }),
    'target.doctor': async ({ target, pid, run }) => {
      const checks = await recorder.doctor(target, pid, (check) => broadcast({ kind: 'target-check', run, check }));
      return { target, checks: [...checks] };
    },
  };
}
