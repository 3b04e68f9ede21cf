import { basename } from 'node:path';
import { readConnectedPorts, readListeningPorts } from '#collectors/target/listening-ports.ts';
import { parseCommandLine, type ProcStat } from '#collectors/target/proc-files.ts';
import { isInGroup } from '#collectors/target/find-group.ts';
import { listProcesses, processTree } from '#collectors/target/processes.ts';
import type { Target } from '#collectors/target/target.ts';
import { MAX_SERVER_PROCESSES } from '#core/contract/load/load-test.ts';
import { EngineFailure } from '../failure.ts';

/** Returns what processes run, by their executables: a main thread may have been renamed. */
export async function programsOf(
  target: Target,
  pids: readonly number[],
  stats: ReadonlyMap<number, Pick<ProcStat, 'name'>>,
): Promise<string[]> {
  const executables = await target.readLinks(pids.map((pid) => `/proc/${pid}/exe`));
  return pids.map((pid, place) => basename(executables[place] ?? stats.get(pid)?.name ?? '?'));
}

type PortsByProcess = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * Returns the processes of a started server that listen at a port, and what these have started: a gateway and what is
 * behind it, a master and its workers. Those at `first` come first.
 */
export async function componentsUnder(target: Target, pid: number, first: number): Promise<number[]> {
  const tree = await processTree(target, pid);
  const ports = await portsOf(target, tree);
  const isFirst = (one: number): number => (ports.get(one)?.has(first) === true ? 0 : 1);
  return withChildren(tree, new Set(ports.keys()))
    .sort((a, b) => isFirst(a) - isFirst(b))
    .slice(0, MAX_SERVER_PROCESSES);
}

/** Returns the processes of a machine that listen at a port, and their workers. */
export async function processesAt(target: Target, port: number): Promise<number[]> {
  const all = await allProcesses(target);
  return withChildren(all, listenersAt(await portsOf(target, all), port));
}

/** Returns the processes of a container, pod or systemd unit, as `flamebench ps` names them. */
export const processesIn = async (target: Target, group: string): Promise<number[]> =>
  (await listProcesses(target)).flatMap((row) =>
    (['container', 'pod', 'unit'] as const).some((kind) => isInGroup(row, { kind, name: group })) ? [row.pid] : [],
  );

/** The processes of a server, the ones at the URL's port first, then hop by hop what they talk to. */
export interface FoundServer {
  readonly pids: readonly number[];
  /** Number of processes beyond the limit. */
  readonly left: number;
  /** Why these are not the server, or may not be all of it, a sentence; null: they are. */
  readonly doubt: string | null;
}

/**
 * Finds who listens at a port, the workers, and hop by hop the processes to whose ports on the machine's loopback these
 * have connections open now. Rejects with an `EngineFailure` if nothing is found.
 */
export async function findServer(target: Target, port: number): Promise<FoundServer> {
  const all = await allProcesses(target);
  const ports = await portsOf(target, all);
  const chain: number[] = [];
  for (let hop = withChildren(all, listenersAt(ports, port)); hop.length > 0;) {
    chain.push(...hop);
    const connected = new Set([...(await readConnectedPorts(target, hop)).values()].flatMap((own) => [...own]));
    const next = new Set([...connected].flatMap((one) => [...listenersAt(ports, one)]));
    hop = withChildren(all, next).filter((pid) => !chain.includes(pid));
  }
  const doubt = (await isPublished(target, all, port))
    ? `docker-proxy forwards port ${port} to a container: name it with --component app=CONTAINER.`
    : proxyDoubt(all, chain, ports, port);
  if (chain.length === 0 && doubt !== null)
    throw new EngineFailure('no-process', doubt, 'flamebench ps lists containers.');
  if (chain.length === 0) {
    throw new EngineFailure(
      'no-process',
      `No process that listens at port ${port} was found on ${target.host}.`,
      'Start the server; if it is another user’s, only root sees its process: give its --pid.',
    );
  }
  return {
    pids: chain.slice(0, MAX_SERVER_PROCESSES),
    left: Math.max(0, chain.length - MAX_SERVER_PROCESSES),
    doubt,
  };
}

/** Servers that pass requests on. */
const PROXIES: readonly string[] = ['nginx', 'haproxy', 'envoy', 'caddy', 'traefik', 'apache2', 'httpd', 'varnishd'];

/** Says that a proxy, the only hop that was found, may have others behind it; null: it is none, or they were found. */
function proxyDoubt(
  all: readonly ProcStat[],
  chain: readonly number[],
  ports: PortsByProcess,
  port: number,
): string | null {
  const front = withChildren(all, listenersAt(ports, port));
  const name = all.find(({ pid }) => pid === front[0])?.name ?? '';
  if (chain.length > front.length || !PROXIES.includes(name)) return null;
  return `${name} may pass requests on: a hop without an open connection, or behind a UNIX socket, is not found; name it with --component app=:PORT or app=PID.`;
}

/** Returns whether Docker publishes a container's port there: docker-proxy is root's, but all may read its arguments. */
async function isPublished(target: Target, all: readonly ProcStat[], port: number): Promise<boolean> {
  const proxies = all.filter(({ name }) => name === 'docker-proxy');
  const files = proxies.map(({ pid }) => ({ path: `/proc/${pid}/cmdline`, offset: 0, length: 4096 }));
  return (await target.readRanges(files)).some((bytes) => {
    const argv = parseCommandLine(bytes ?? new Uint8Array());
    return argv[argv.indexOf('-host-port') + 1] === String(port);
  });
}

/** Also those that another namespace's process has started: their parent is 0. */
const allProcesses = (target: Target): Promise<ProcStat[]> => processTree(target, 0);

const listenersAt = (ports: PortsByProcess, port: number): Set<number> =>
  new Set([...ports].flatMap(([pid, own]) => (own.has(port) ? [pid] : [])));

/** Number of processes whose ports are asked for at once. */
const AT_ONCE = 100;

async function portsOf(target: Target, processes: readonly ProcStat[]): Promise<PortsByProcess> {
  const found = new Map<number, ReadonlySet<number>>();
  for (let at = 0; at < processes.length; at += AT_ONCE) {
    const pids = processes.slice(at, at + AT_ONCE).map(({ pid }) => pid);
    for (const [pid, ports] of await readListeningPorts(target, pids)) found.set(pid, ports);
  }
  return found;
}

/** Oldest first. Children of another name are helpers that soon end; workers are called like their master. */
function withChildren(tree: readonly ProcStat[], listening: ReadonlySet<number>): number[] {
  const names = new Map(tree.map(({ pid, name }) => [pid, name]));
  const isWorker = ({ parent, name }: ProcStat): boolean => listening.has(parent) && names.get(parent) === name;
  return tree.flatMap((one) => (listening.has(one.pid) || isWorker(one) ? [one.pid] : []));
}
