import type { Target } from '#collectors/target/target.ts';
import { rememberingCollector, type CallGraphMemory } from '#app/engine/recording/call-graph-memory.ts';
import { planHosts, type HostPlan } from '#app/engine/recording/plan-hosts.ts';
import type { CliTargets } from '../targets/cli-targets.ts';
import type { AskedRecording } from './series-options.ts';

/** What each target can do of what was asked for. A usage error where a word names no target. */
export async function planRecording(
  targets: CliTargets,
  request: AskedRecording,
  memory: CallGraphMemory,
): Promise<HostPlan[]> {
  const ids = await targets.resolve(request.targets);
  const hosts = ids.map((targetId, index) => ({
    targetId,
    options: (target: Target) => request.sides(index, target, targets.nameOf(targetId)),
  }));
  return planHosts(
    (id) => rememberingCollector(id, memory),
    (id) => targets.open(id),
    hosts,
  );
}
