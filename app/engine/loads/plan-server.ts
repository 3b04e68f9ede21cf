import {
  machinesOf,
  MAX_PROFILED_PROCESSES,
  MIN_PROFILED_SECONDS,
  type LoadServer,
  type ServerMachine,
} from '#core/contract/load/load-test.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import { profileOptions, profileTitle, type LoadProfile } from '#core/contract/load/profile.ts';
import { collectorOptionsSchema, type CollectorId, type CollectorOptions } from '#core/contract/schemas.ts';
import type { WatchedProcess } from '#core/load/vitals.ts';
import type { AnyCollector } from '#collectors/collector.ts';
import { runToEnd } from '#collectors/target/run-to-end.ts';
import { readListeningPorts } from '#collectors/target/listening-ports.ts';
import { readStats } from '#collectors/target/processes.ts';
import type { Target } from '#collectors/target/target.ts';
import { EngineFailure } from '../failure.ts';
import { programsOf } from './find-server.ts';
import { hostCommands, hostRequests, planHosts, type HostPlan } from '../recording/plan-hosts.ts';

/** The server's processes on their machines, and how each is recorded. */
export interface PlannedServer {
  readonly server: LoadServer;
  readonly machines: readonly PlannedMachine[];
  /** Exactly the commands that record, each an argv, and requests as `GET URL`; empty without a profile. */
  readonly commands: readonly (readonly string[])[];
  /** Why some processes are not recorded, a sentence each. */
  readonly unrecorded: readonly string[];
}

export interface PlannedMachine {
  readonly target: Target;
  readonly processes: readonly PlannedProcess[];
}

/** A process to watch. Its name includes the host's, except on this machine. */
export interface PlannedProcess extends WatchedProcess {
  /** PID of the watched process that started this one as its worker; null if none did. */
  readonly master: number | null;
  readonly profile: HostPlan | null;
  /** Why it can't be recorded; null: it can, or is not to be. */
  readonly failure: EngineFailure | null;
}

/** Says which processes have no profile: `No profile of nginx, nginx (2): …`, a sentence for each reason. */
export function unrecordedNotes(missing: readonly { readonly name: string; readonly why: string }[]): string[] {
  return [...Map.groupBy(missing, ({ why }) => why)].map(([why, of]) =>
    `No profile of ${[...new Set(of.map(({ name }) => name))].join(', ')}: ${why}`.slice(0, 1000),
  );
}

/** Returns the seconds from the start of a run to its recording; at least as many follow the recording. */
export const leadOf = (seconds: number): number => Math.max(1, Math.floor(seconds / 10));

/** Returns the length of the recording within a run, in seconds. */
export const windowOf = (seconds: number): number => seconds - 2 * leadOf(seconds);

/** Checks that the processes run and can be recorded. Rejects with an `EngineFailure`. */
export async function planServer(
  open: (targetId: string) => Promise<Target>,
  server: LoadServer,
  seconds: number,
  collector: (id: CollectorId) => AnyCollector,
): Promise<PlannedServer> {
  const asked = machinesOf(server);
  if (asked.some(({ pids }) => new Set(pids).size !== pids.length)) {
    throw new EngineFailure('invalid-plan', 'A process is named twice.', 'Name each PID once.');
  }
  if (new Set(asked.map(({ target }) => target)).size !== asked.length) {
    throw new EngineFailure('invalid-plan', 'A machine is named twice.', 'Name all its PIDs at once.');
  }
  if (server.profile !== null && seconds < MIN_PROFILED_SECONDS) {
    throw new EngineFailure(
      'invalid-plan',
      `A run of ${seconds} s is too short for a profile.`,
      `Use at least ${MIN_PROFILED_SECONDS} s.`,
    );
  }
  if (server.profile !== null) checkWindow(server.profile, seconds);
  const machines = [];
  for (const machine of asked)
    machines.push(await planMachine(await open(machine.target), machine, server.profile, seconds, collector));
  const all = machines.flatMap(({ processes }) => processes);
  const failures = all.flatMap(({ pid, name, failure }) =>
    failure === null ? [] : [{ name, why: failure.message.replace(`process ${pid} `, 'it '), failure }],
  );
  const [first] = failures;
  // A gateway may be of another runtime than the app behind it: what can be recorded is.
  if (first !== undefined && all.every(({ profile }) => profile === null)) throw first.failure;
  return {
    server,
    unrecorded: unrecordedNotes(failures),
    machines,
    commands: machines.flatMap(({ processes }) =>
      processes.flatMap(({ profile: plan }) =>
        plan === null ? [] : [...hostCommands(plan), ...hostRequests(plan).map((request) => request.split(' '))],
      ),
    ),
  };
}

/** Throws an `EngineFailure` if the profile's collector can't record for as long as the window of a run. */
function checkWindow(profile: LoadProfile, seconds: number): void {
  const options = profileOptions(profile, { pid: 1, startTicks: '0' }, windowOf(seconds));
  const issue = collectorOptionsSchema.safeParse(options).error?.issues.find(({ path }) => path[0] === 'seconds');
  if (issue?.code !== 'too_big') return;
  throw new EngineFailure(
    'invalid-plan',
    `A run of ${seconds} s is too long for ${profileTitle(profile)}, which records at most ${issue.maximum} s.`,
    'Use shorter runs, or perf.',
  );
}

const MAX_NAME = 100;

async function planMachine(
  target: Target,
  machine: ServerMachine,
  profile: LoadServer['profile'],
  seconds: number,
  collector: (id: CollectorId) => AnyCollector,
): Promise<PlannedMachine> {
  const { pids } = machine;
  const stats = await readStats(target, pids);
  const missing = pids.filter((pid) => !stats.has(pid));
  if (missing.length > 0) {
    throw new EngineFailure(
      'no-process',
      `${missing.length === 1 ? 'Process' : 'Processes'} ${missing.join(', ')} not found on ${target.host}.`,
      'List its processes with flamebench ps.',
    );
  }
  await checkSudo(target, profile);
  const where = machine.target === LOCAL_TARGET ? '' : ` on ${target.host}`;
  const programs = await programsOf(target, pids, stats);
  // Ports distinguish processes of one program; workers share them.
  const isShared = (name: string): boolean => programs.indexOf(name) !== programs.lastIndexOf(name);
  const listening = pids.length > 1 ? await readListeningPorts(target, pids) : new Map<number, Set<number>>();
  const portOf = (pid: number): number | undefined => [...(listening.get(pid) ?? [])].sort((a, b) => a - b)[0];
  const masterOf = (pid: number): number | null => {
    const { parent, name } = stats.get(pid)!;
    return stats.get(parent)?.name === name ? parent : null;
  };
  // In a Node cluster, only the master listens.
  const ports = pids.map((pid) => portOf(pid) ?? portOf(masterOf(pid) ?? pid));
  const names = pids.map((_, place) => {
    const [program, port] = [programs[place]!, ports[place]];
    const own = machine.names?.[place] ?? `${program}${isShared(program) && port !== undefined ? ` :${port}` : ''}`;
    return `${own}${where}`.slice(0, MAX_NAME);
  });
  const recorded = profiledPlaces(names);
  const processes = [];
  for (const [place, pid] of pids.entries()) {
    const { startTicks } = stats.get(pid)!;
    const name = names[place]!;
    const options =
      profile && recorded.has(place) ? profileOptions(profile, { pid, startTicks }, windowOf(seconds)) : null;
    const plan = options && profile && (await planProfile(target, machine.target, profile, options, collector));
    const port = ports[place];
    const isPlanned = plan === null || !(plan instanceof EngineFailure);
    processes.push({
      pid,
      name,
      ...(port === undefined ? {} : { port }),
      master: masterOf(pid),
      profile: isPlanned ? plan : null,
      failure: isPlanned ? null : plan,
    });
  }
  return { target, processes };
}

/** Returns the places of the processes to record: the first process of each component, then the second ones, and so on. */
export function profiledPlaces(names: readonly string[]): ReadonlySet<number> {
  const rankOf = (place: number): number => names.slice(0, place).filter((name) => name === names[place]).length;
  return new Set([...names.keys()].sort((a, b) => rankOf(a) - rankOf(b) || a - b).slice(0, MAX_PROFILED_PROCESSES));
}

const SUDO_MS = 30_000;

/** Rejects if sudo on the target needs a password, which nobody could type during a run. */
async function checkSudo(target: Target, profile: LoadServer['profile']): Promise<void> {
  if (profile === null || !('asRoot' in profile)) return;
  // If there is no sudo, the collector reports it.
  const sudo = (await target.root?.sudoArgv())?.[0];
  if (sudo === undefined) return;
  const { exit, stderr } = await runToEnd(target, [sudo, '-n', '--', '/bin/sh', '-c', ':'], {
    env: { LC_ALL: 'C' },
    timeoutMs: SUDO_MS,
  });
  if (exit.code === 0) return;
  throw new EngineFailure(
    'no-root',
    `sudo on ${target.host} does not work without a password (${stderr.trim().split('\n').at(-1)?.slice(0, 300) ?? ''}).`,
    'Allow it in sudoers with NOPASSWD, or connect as root; a prompt could not be answered within a run.',
  );
}

async function planProfile(
  target: Target,
  targetId: string,
  profile: LoadProfile,
  options: CollectorOptions,
  collector: (id: CollectorId) => AnyCollector,
): Promise<HostPlan | EngineFailure> {
  const [plan] = await planHosts(collector, () => Promise.resolve(target), [
    { targetId, options: () => Promise.resolve([options, undefined]) },
  ]);
  if (plan!.plans !== null) return plan!;
  const failed = plan!.checks.find(({ status }) => status === 'failed');
  return new EngineFailure(
    'no-profile',
    `${profileTitle(profile)} can't record on ${target.host}: ${failed?.found ?? 'the reason is unknown'}.`,
    failed?.remedy ?? 'Run flamebench doctor there.',
  );
}
