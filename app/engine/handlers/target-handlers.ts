import type { Check } from '#core/contract/schemas.ts';
import { parseContainerAddress, type ContainerAddress } from '#core/contract/container-address.ts';
import { LOCAL_TARGET, TargetIdFailure } from '#core/contract/target-id.ts';
import { runDoctor, unreachable } from '#collectors/doctor.ts';
import { createProcessLister, type ProcessLister } from '#collectors/target/processes.ts';
import type { Target } from '#collectors/target/target.ts';
import { EngineFailure } from '../failure.ts';
import type { EngineParts } from './engine-parts.ts';
import { done, type Handlers } from '../http/rpc.ts';
import { findContainer, reachableServiceUrl, type Forwards } from '../targets/container-target.ts';

type TargetMethod = Extract<keyof Handlers, `target.${string}`>;

export function targetHandlers({
  targets,
  connects,
  broadcast,
}: Pick<EngineParts, 'targets' | 'connects' | 'broadcast'>): Pick<Handlers, TargetMethod> {
  /** Throws if the token is for a command other than the one that would run now. */
  function confirm(target: string, token: string): void {
    const shown = connects.take(token);
    const { command } = targets.plan(target);
    if (shown.target === target && shown.command.join('\0') === command.join('\0')) return;
    throw new EngineFailure('not-confirmed', 'The connection differs from the one shown.', 'Review it again.');
  }

  const listers = new WeakMap<Target, ProcessLister>();
  function listerOf(target: Target): ProcessLister {
    const lister = listers.get(target) ?? createProcessLister(target);
    listers.set(target, lister);
    return lister;
  }

  /**
   * Yields the doctor's checks of a target. An unreachable host is itself a finding; one that must be confirmed first
   * is not inspected.
   */
  async function* openAndCheck(id: string, pid: number | null): AsyncGenerator<Check> {
    let target: Target;
    try {
      target = await targets.open(id);
    } catch (error) {
      if (!(error instanceof EngineFailure) || error.code !== 'not-connected') throw error;
      yield unreachable(error.message, error.remedy);
      return;
    }
    yield* runDoctor(target, pid);
  }

  const forwards: Forwards = new Map();
  return {
    'target.list': () => targets.list(),
    'target.save': async ({ target, name }) => {
      await targets.save(target, name);
      return targets.list();
    },
    'target.remove': async ({ target }) => {
      await targets.remove(target);
      return targets.list();
    },
    'target.plan': ({ target }) => {
      const { command, isNew } = targets.plan(target);
      const confirmation = isNew ? connects.add({ target, command }) : null;
      return Promise.resolve({ command: [...command], confirmation });
    },
    'target.connect': ({ target, confirmation }) => {
      if (confirmation !== null) confirm(target, confirmation);
      return targets.connect(target, confirmation !== null);
    },
    'target.disconnect': ({ target }) => targets.disconnect(target),
    'target.terminal': ({ target }) => Promise.resolve(targets.terminal(target)),
    'target.answer': ({ target, text }) => Promise.resolve({ accepted: targets.answer(target, text) }),
    'target.resize': ({ target, columns, rows }) => done(targets.resize(target, columns, rows)),
    'target.processes': async ({ target: id }) => {
      const target = await targets.open(id);
      if ((await target.stat('/proc/stat')) !== null) return { processes: await listerOf(target).list() };
      throw new EngineFailure(
        'not-available',
        'Processes can be listed on Linux only.',
        'Record on a Linux machine, and open the capture here.',
      );
    },
    'target.container': async ({ address: text, url }) => {
      const address = readAddress(text);
      const target = await targets.open(LOCAL_TARGET);
      if (url !== null && !URL.canParse(url))
        throw new EngineFailure('invalid-arguments', 'Not an address of a service.');
      if (url !== null) return { kind: 'address', url: await reachableServiceUrl(target, address, url, forwards) };
      const { path, name } = await findContainer(target, address);
      return { kind: 'group', path, name };
    },
    'target.doctor': async ({ target: id, pid, run }) => {
      const checks: Check[] = [];
      for await (const check of openAndCheck(id, pid)) {
        checks.push(check);
        broadcast({ kind: 'target-check', run, check });
      }
      return { target: id, checks };
    },
  };
}

function readAddress(text: string): ContainerAddress {
  try {
    const address = parseContainerAddress(text);
    if (address !== null) return address;
  } catch (error) {
    if (!(error instanceof TargetIdFailure)) throw error;
    throw new EngineFailure('invalid-arguments', error.message);
  }
  throw new EngineFailure('invalid-arguments', 'Not a container: give docker://NAME, podman://NAME or kubectl://…');
}
