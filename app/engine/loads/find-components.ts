import type { AskedComponents, FoundComponents } from '#core/contract/load/component.ts';
import { MAX_SERVER_PROCESSES } from '#core/contract/load/load-test.ts';
import { portOf } from '#collectors/fetch/url-port.ts';
import { readListeningPorts } from '#collectors/target/listening-ports.ts';
import { readStats } from '#collectors/target/processes.ts';
import type { Target } from '#collectors/target/target.ts';
import { EngineFailure } from '../failure.ts';
import { checkUrl, isLoopback } from './check-url.ts';
import { findServer, processesAt, processesIn, programsOf, type FoundServer } from './find-server.ts';

const NOT_FOUND: FoundServer = { pids: [], left: 0, doubt: null };

/** Returns the processes to watch; a component's name replaces the one of its program. Rejects with an `EngineFailure`. */
export async function findComponents(
  target: Target,
  { url, find, isServer, components, pids: given }: AskedComponents,
): Promise<FoundComponents> {
  checkUrl(url);
  const isHere = isServer || isLoopback(url);
  if (find === 'auto' && !isHere) {
    throw new EngineFailure(
      'invalid-arguments',
      'Processes are found on the machine that sends the requests.',
      'Name the server’s machine (--server), or give an address of 127.0.0.1.',
    );
  }
  let missing = '';
  const found =
    find === 'no' || !isHere
      ? NOT_FOUND
      : await findServer(target, portOf(new URL(url))).catch((error: unknown) => {
          if (find === 'auto' || !(error instanceof Error)) throw error;
          missing = error.message;
          return NOT_FOUND;
        });
  const names = new Map<number, string | null>([...given, ...found.pids].map((one) => [one, null]));
  for (const { name, at, isPort } of components) {
    const isGroup = typeof at === 'string';
    const pids = isGroup ? await processesIn(target, at) : isPort ? await processesAt(target, at) : [at];
    if (pids.length === 0) {
      throw new EngineFailure(
        'invalid-arguments',
        isGroup
          ? `${name}=${at}: no process of a container, pod or unit of this name was found on ${target.host}.`
          : `${name}=:${at}: no process that listens at this port was found on ${target.host}.`,
        isGroup
          ? 'flamebench ps lists them.'
          : 'Only root sees the processes of another user’s server: give their PIDs.',
      );
    }
    for (const one of pids) names.set(one, name);
  }
  if (names.size > MAX_SERVER_PROCESSES) {
    throw new EngineFailure(
      'invalid-arguments',
      `The components have ${names.size} processes; at most ${MAX_SERVER_PROCESSES} are watched.`,
      'Name the components to watch, without the processes that are found.',
    );
  }
  if (names.size === 0)
    return { machine: null, sentence: missing === '' ? null : `The server is not watched: ${missing}` };
  const doubt = found.doubt === null || components.length > 0 ? '' : ` ${found.doubt}`;
  return {
    machine: { pids: [...names.keys()], ...(components.length === 0 ? {} : { names: [...names.values()] }) },
    sentence: `${await sentenceOf(target, names, found)}${doubt}`,
  };
}

/** Returns `Watched on web-1: gateway (812) :80, node (4711) :8080.` */
async function sentenceOf(
  target: Target,
  names: ReadonlyMap<number, string | null>,
  { left }: FoundServer,
): Promise<string> {
  const pids = [...names.keys()];
  const programs = await programsOf(target, pids, await readStats(target, pids));
  const ports = await readListeningPorts(target, pids);
  const said = [...names].map(([pid, name], place) => {
    const own = name ?? programs[place] ?? 'unknown';
    const at = [...(ports.get(pid) ?? [])].sort((a, b) => a - b);
    return `${own} (${pid})${at.map((port) => ` :${port}`).join('')}`;
  });
  return `Watched on ${target.host}: ${said.join(', ')}${left === 0 ? '' : `; ${left} more are not watched`}.`;
}
