import type { PerfOptions, Scope } from '#core/contract/schemas.ts';
import { perfCollector } from '#collectors/perf/collector.ts';
import { listProcesses } from '#collectors/target/processes.ts';
import type { Target } from '#collectors/target/target.ts';
import { withMemory, type CallGraphMemory } from '#app/engine/recording/call-graph-memory.ts';
import { planHosts, type HostPlan, type SideOptions } from '#app/engine/recording/plan-hosts.ts';
import type { CliTargets } from '../targets/cli-targets.ts';
import { captureError } from '../errors.ts';
import type { AskedScope, RecordRequest } from './options.ts';
import { say } from '../output/terminal.ts';

/** What each target can do of what was asked for. A usage error where a word names no target. */
export async function planRecording(
  targets: CliTargets,
  request: RecordRequest,
  memory: Pick<CallGraphMemory, 'find'>,
): Promise<HostPlan[]> {
  const ids = await targets.resolve(request.targets);
  const hosts = ids.map((targetId, index) => ({
    targetId,
    async options(target: Target): Promise<SideOptions> {
      const [before, after] = request.scopes[index]!;
      const find = async (scope: AskedScope): Promise<PerfOptions> => ({
        ...request.options,
        scope: await findScope(target, scope, targets.nameOf(targetId)),
      });
      return [await find(before), after && (await find(after))];
    },
  }));
  return planHosts(withMemory(perfCollector, memory), (id) => targets.open(id), hosts);
}

/** The process that a name means: the busiest of those that are called so, or whose program is. */
async function findScope(target: Target, scope: AskedScope, where: string): Promise<Scope> {
  if (scope.kind !== 'process') return scope;
  const { name } = scope;
  const named = (await listProcesses(target)).filter((row) => row.name === name || baseName(row.executable) === name);
  const [busiest] = named;
  if (busiest === undefined) {
    throw captureError(`no process is called ${JSON.stringify(name)}`, 'flamebench ps --target … lists them');
  }
  const { pid, startTicks, cpuPercent } = busiest;
  if (named.length > 1) {
    const share = cpuPercent === null ? '' : ` (${cpuPercent.toFixed(0)} % of a CPU)`;
    const line = `${where}: ${named.length} processes are called ${name}; the busiest is ${pid}${share}`;
    say(line);
  }
  return { kind: 'pid', pid, startTicks };
}

const baseName = (path: string | null): string | null =>
  path?.replace(/ \(deleted\)$/, '').replace(/^.*\//, '') ?? null;
