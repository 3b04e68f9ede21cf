import type { ServerMachine } from '#core/contract/load-test.ts';
import { checkUrl } from '#app/engine/loads/check-url.ts';
import { isLoopback } from '#app/engine/loads/experiment-server.ts';
import { findServer, portOf, processesAt } from '#app/engine/loads/find-server.ts';
import type { Target } from '#collectors/target/target.ts';
import { readStats } from '#collectors/target/processes.ts';
import { usageError } from '../errors.ts';
import type { LoadOptions } from './load-options.ts';

/** The processes of a server on one machine, and what is said of them before anything runs. */
export interface FoundComponents {
  readonly machine: Omit<ServerMachine, 'target'>;
  readonly sentence: string;
}

/**
 * Returns the processes of `--pid auto` and of `--component`, after the ones that `--pid` names; a component's name
 * replaces the one of its program.
 */
export async function findComponents(
  target: Target,
  url: string,
  { pid, server, component = [] }: LoadOptions,
  given: readonly number[],
): Promise<FoundComponents> {
  checkUrl(url);
  const asked = component.map(readComponent);
  if (pid === 'auto' && server === undefined && !isLoopback(url)) {
    throw usageError(
      '--pid auto finds processes on the machine that sends the requests',
      'name the server’s machine with --server, or give an address of 127.0.0.1',
    );
  }
  const found = pid === 'auto' ? await findServer(target, portOf(url)) : { processes: [], left: 0 };
  const names = new Map<number, string | null>(
    [...given, ...found.processes.map((one) => one.pid)].map((one) => [one, null]),
  );
  for (const { name, at, isPort } of asked) {
    const pids = isPort ? await processesAt(target, at) : [at];
    if (pids.length === 0) {
      throw usageError(
        `--component ${name}=:${at}: no process that listens at this port was found on ${target.host}`,
        'of another user’s server, only root sees the process: give its PID',
      );
    }
    for (const one of pids) names.set(one, name);
  }
  const pids = [...names.keys()];
  const programs = await readStats(target, pids);
  const ports = new Map(found.processes.map((one) => [one.pid, one.ports]));
  const said = pids.map((one) => {
    const name = names.get(one) ?? programs.get(one)?.name ?? '?';
    return `${name} (${one})${(ports.get(one) ?? []).map((port) => ` :${port}`).join('')}`;
  });
  const left = found.left === 0 ? '' : `; ${found.left} more are not watched`;
  return {
    machine: { pids, ...(asked.length === 0 ? {} : { names: [...names.values()] }) },
    sentence: `Watched on ${target.host}: ${said.join(', ')}${left}.`,
  };
}

interface AskedComponent {
  readonly name: string;
  /** A PID, or a port. */
  readonly at: number;
  readonly isPort: boolean;
}

/** Reads `gateway=812` or `gateway=:8080`. */
function readComponent(word: string): AskedComponent {
  const [, name, colon, number] = /^([^=\s][^=]{0,99})=(:?)(\d{1,7})$/.exec(word) ?? [];
  const at = Number(number);
  const isPort = colon === ':';
  if (name !== undefined && at > 0 && (!isPort || at <= 65_535)) return { name, at, isPort };
  throw usageError(`--component ${word}: neither NAME=PID nor NAME=:PORT`, 'for example gateway=812 or app=:8080');
}
