import { isNode, type NodeOptions } from '#core/contract/node.ts';
import type { Collector, Preflight } from '../collector.ts';
import type { Check } from '#core/contract/schemas.ts';
import { toFailure } from '../recording-failure.ts';
import { findProcess } from '../target/processes.ts';
import type { Target } from '../target/target.ts';
import { readBackProfile } from '../trace-read-back.ts';
import { withoutLive } from '../without-live.ts';
import { inspectProcess } from './checks.ts';
import { startNode } from './driver.ts';
import { NODE_RAW_FILES, planNode } from './plan.ts';

/** Samples the functions of a running Node process through its inspector. */
export const nodeCollector: Collector<NodeOptions> = {
  id: 'node',
  label: 'Node (inspector)',
  output: { primaryFile: NODE_RAW_FILES.cpu, otherFiles: [], format: null },
  preflight: preflightNode,
  start: (target, plan, sink, clock) => startNode(target, plan, sink, clock),
  planNext: (plan) => plan,
  scope: ({ scope }) => scope,
  title: ({ profile, scope }) => `Node ${profile} of process ${scope.pid}`,
  live: withoutLive('node’s samples stay in the process until the end of a recording'),
  correct: (options) => options,
  async recover(_target, sink) {
    for (const primaryFile of Object.values(NODE_RAW_FILES)) {
      const found = await readBackProfile(sink, primaryFile).catch(() => null);
      if (found !== null) return { ...found, lost: 0, primaryFile };
    }
    return { samples: 0, durationMs: null, quality: null, lost: 0, diagnostics: [] };
  },
};

/** Checks whether `record node` works, without signalling; null if the process is not Node. */
export async function checkInspector(target: Target, pid: number): Promise<Check | null> {
  const process = await findProcess(target, pid);
  if (process === null || !isNode(process)) return null;
  const scope = { kind: 'pid', pid, startTicks: null } as const;
  const { checks } = await preflightNode(target, { collector: 'node', scope, profile: 'cpu', seconds: 1 });
  return checks[0]!;
}

async function preflightNode(target: Target, options: NodeOptions): Promise<Preflight<NodeOptions>> {
  try {
    const node = await inspectProcess(target, options.scope);
    const found = node.isOpen
      ? `port ${node.port} is open and stays open`
      : 'closed; SIGUSR1 opens it, and the program’s stderr gets Node’s lines about it';
    return { checks: [{ id: 'inspector', status: 'ok', found, remedy: null }], plan: planNode(options, node) };
  } catch (error) {
    const { message, remedy } = toFailure(error);
    return { checks: [{ id: 'inspector', status: 'failed', found: message, remedy }], plan: null };
  }
}
