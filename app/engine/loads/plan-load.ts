import type { LoadPlan } from '#core/contract/load/load-test.ts';
import type { CollectorId } from '#core/contract/schemas.ts';
import {
  capSteps,
  loadArgv,
  planProblem,
  totalLoadText,
  withEventLoops,
  type LoadLimits,
} from '#core/load/plan-load.ts';
import { shareOf } from '#core/load/merge-sources.ts';
import { redactArgv } from '#core/redact/redact-argv.ts';
import { redactText } from '#core/redact/secret-shapes.ts';
import { inspectProcess } from '#collectors/node/checks.ts';
import { signalArgv } from '#collectors/node/plan.ts';
import type { AnyCollector } from '#collectors/collector.ts';
import { printedBy } from '#collectors/target/run-to-end.ts';
import type { Target } from '#collectors/target/target.ts';
import { EngineFailure } from '../failure.ts';
import { checkUrl } from './check-url.ts';
import type { LoadSender } from './run-tool.ts';
import { planProbeSeries } from './probe-beside.ts';
import { failLoop } from './watch-series.ts';
import { planServer, type PlannedServer } from './plan-server.ts';

/** A sweep that is ready to start; exactly these commands will run. */
export interface PlannedLoad {
  readonly plan: LoadPlan;
  /** Name of the machine that sends the requests. */
  readonly host: string;
  /** Absolute path of the tool. */
  readonly program: string;
  readonly cpus: number;
  /** Why steps were left out; null if none were. */
  readonly leftOut: string | null;
  /** One command per step, followed by the commands that record the server. */
  readonly commands: readonly (readonly string[])[];
  /** Null if the server is not watched. */
  readonly server: PlannedServer | null;
  /** Further machines that send at the same moment. */
  readonly senders: readonly LoadSender[];
}

/** How the server is reached and recorded. */
export interface ServerAccess {
  readonly open: (targetId: string) => Promise<Target>;
  readonly collector: (id: CollectorId) => AnyCollector;
}

const INSTALL: Readonly<Record<LoadPlan['tool'], string>> = {
  locust: 'install it there (pip install locust)',
  wrk: 'install it there (Debian and Ubuntu: apt install wrk), or use --tool hey',
  hey: 'install it there (go install github.com/rakyll/hey@latest), or use --tool wrk',
};

/** Throws an `EngineFailure` if a plan asks for what is not possible anywhere. */
export function checkPlan(plan: LoadPlan): void {
  const problem = planProblem(plan);
  if (problem !== null) throw new EngineFailure('invalid-plan', `${problem[0]}.`, `${problem[1]}.`);
}

/** Checks the URL, the tool and what the machine can open. Rejects with an `EngineFailure`. */
export async function planLoad(target: Target, asked: LoadPlan, access?: ServerAccess): Promise<PlannedLoad> {
  checkUrl(asked.url);
  checkPlan(asked);
  const program = await findTool(target, asked.tool);
  if (asked.tool === 'locust' && (await target.stat(asked.script!)) === null)
    throw new EngineFailure('no-script', `There is no ${asked.script} on ${target.host}.`, 'Check Locust’s file.');
  const limits = await limitsOf(target);
  const senders: LoadSender[] = [];
  let least = limits;
  for (const id of asked.senders ?? []) {
    if (access === undefined) throw new EngineFailure('invalid-plan', 'Only one machine sends here.', 'Name no other.');
    const other = await access.open(id);
    const own = await limitsOf(other);
    senders.push({ target: other, program: await findTool(other, asked.tool), cpus: own.cpus });
    least = {
      ...least,
      openFiles: leastOf(least.openFiles, own.openFiles),
      ports: leastOf(least.ports, own.ports),
    };
  }
  const machines = [{ target, program, cpus: limits.cpus }, ...senders];
  const { concurrencies, why } = capSteps(asked.concurrencies, least, machines.length);
  if (concurrencies.length === 0) {
    throw new EngineFailure(
      'too-many',
      `No step is possible on ${target.host}: ${why}`,
      'Raise the limit, or ask for fewer connections.',
    );
  }
  const server =
    asked.server === undefined || access === undefined
      ? null
      : await planServer(access.open, asked.server, asked.seconds, access.collector);
  const refused = (server?.machines ?? []).flatMap(({ processes }) => processes.filter((one) => one.failure !== null));
  const plan = withEventLoops(
    { ...asked, concurrencies: [...concurrencies] },
    refused.map(({ pid }) => pid),
  );
  const loops = nodesOf(plan);
  for (const pid of loops) await checkNode(machineOf(server, target, pid), pid);
  const probes: string[][] = [];
  checkHops(asked, server);
  for (const one of asked.series ?? [])
    if (one.kind === 'probe') probes.push(await planProbeSeries(target, one, asked));
  const commands = concurrencies.flatMap((one) =>
    machines.flatMap((machine, place) => {
      const share = shareOf(one, machines.length, place);
      return share === 0 ? [] : [loadArgv(plan, machine.program, share, plan.seconds, machine.cpus)];
    }),
  );
  return {
    plan,
    host: target.host,
    program,
    cpus: limits.cpus,
    leftOut: why,
    commands: [...commands, ...(server?.commands ?? []), ...loops.map(signalArgv), ...probes].map(redactArgv),
    server,
    senders,
  };
}

/** Returns the absolute path of the tool. Rejects with an `EngineFailure` if it is missing. */
async function findTool(target: Target, tool: LoadPlan['tool']): Promise<string> {
  const program = await target.findExecutable(tool);
  if (program !== null) return program;
  throw new EngineFailure('no-tool', `${tool} is not installed on ${target.host}.`, INSTALL[tool]);
}

/** Null: unknown. */
const leastOf = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

/** Describes the total load without secrets, for a confirmation; `shown` names the machine that sends the requests. */
export const plannedText = ({ plan, host, server, senders }: PlannedLoad, shown: string): string => {
  const total = totalLoadText(
    { ...plan, url: redactText(plan.url) },
    shown,
    (server?.machines ?? []).map(({ target }) => (target.host === host ? shown : target.host)),
    senders.map(({ target }) => target.host),
  );
  return [total, ...(server?.unrecorded ?? [])].join(' ');
};

/** Returns the Node processes whose event loops are read. */
const nodesOf = ({ series = [] }: LoadPlan): number[] =>
  series.flatMap((one) => (one.kind === 'node' ? [one.pid] : []));

/** Returns the machine of a process: the server's that has it, else the one that sends the requests. */
export const machineOf = (server: PlannedServer | null, target: Target, pid: number): Target =>
  server?.machines.find(({ processes }) => processes.some((one) => one.pid === pid))?.target ?? target;

/** Throws an `EngineFailure` if a probe or a histogram names a component that is not watched. */
function checkHops({ series = [] }: LoadPlan, server: PlannedServer | null): void {
  const names = (server?.machines ?? []).flatMap(({ processes }) => processes.map(({ name }) => name));
  for (const one of series) {
    const hop = one.kind === 'probe' || one.kind === 'histogram' ? one.hop : undefined;
    if (hop === undefined || names.includes(hop.name)) continue;
    throw new EngineFailure(
      'invalid-arguments',
      `No watched component is called ${hop.name}.`,
      names.length === 0 ? 'Name the server’s processes.' : `They are ${[...new Set(names)].join(', ')}.`,
    );
  }
}

async function checkNode(target: Target, pid: number): Promise<void> {
  await inspectProcess(target, { kind: 'pid', pid, startTicks: null }).catch(failLoop(pid));
}

/** Reads the target's limits; an unreadable one is unknown and imposes no limit. */
async function limitsOf(target: Target): Promise<LoadLimits> {
  const paths = ['/proc/self/limits', '/proc/sys/net/ipv4/ip_local_port_range', '/proc/cpuinfo'];
  // Read by a process of the target: the limits that apply are the tool's, not this process's.
  const [limits, range, cpuinfo] = await Promise.all(paths.map((path) => printedBy(target, ['cat', path])));
  const files = Number(/^Max open files\s+(\d+)/m.exec(limits!)?.[1]);
  const [low, high] = range!.trim().split(/\s+/).map(Number);
  return {
    cpus: Math.max(1, [...cpuinfo!.matchAll(/^processor\s*:/gm)].length),
    openFiles: Number.isFinite(files) ? files : null,
    ports: high !== undefined && high > low! ? high - low! + 1 : null,
  };
}
