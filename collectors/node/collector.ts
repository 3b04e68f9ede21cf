import { isNode, type NodeOptions } from '#core/contract/node.ts';
import { checkOf } from '../check.ts';
import type { Collector, Preflight } from '../collector.ts';
import type { Check } from '#core/contract/schemas.ts';
import { perfCollector } from '../perf/collector.ts';
import { toFailure } from '../recording-failure.ts';
import type { Target } from '../target/target.ts';
import { readBackProfile } from '../trace-read-back.ts';
import { withoutLive } from '../without-live.ts';
import { inspectProcess } from './checks.ts';
import { startNode } from './driver.ts';
import { NODE_RAW_FILES, planNode } from './plan.ts';
import { planBeside, startWithPerf } from './with-perf.ts';

/** Samples the functions of a running Node process through its inspector. */
export const nodeCollector: Collector<NodeOptions> = {
  id: 'node',
  label: 'Node (inspector)',
  output: { primaryFile: NODE_RAW_FILES.cpu, otherFiles: [], format: null },
  async checkProcess(target, process) {
    if (!isNode(process)) return [];
    const scope = { kind: 'pid', pid: process.pid, startTicks: null } as const;
    return (await preflightNode(target, { collector: 'node', scope, profile: 'cpu', seconds: 1 })).checks;
  },
  preflight: preflightNode,
  start: (target, plan, sink, clock) =>
    plan.beside === undefined
      ? startNode(target, plan, sink, clock)
      : startWithPerf(target, plan, plan.beside, sink, clock),
  scope: ({ scope }) => scope,
  title: ({ profile, withHeap, scope }) => `Node ${profile}${withHeap ? ' and heap' : ''} of process ${scope.pid}`,
  live: withoutLive('node’s samples stay in the process until the end of a recording'),
  async recover(target, sink) {
    for (const primaryFile of Object.values(NODE_RAW_FILES)) {
      const found = await readBackProfile(sink, primaryFile).catch(() => null);
      if (found !== null) return { ...found, lost: 0, primaryFile };
    }
    const { output } = perfCollector;
    const native = await perfCollector.recover(target, sink);
    const { primaryFile = output.primaryFile, otherFiles = output.otherFiles } = native;
    return native.samples === 0 ? native : { ...native, primaryFile, otherFiles };
  },
};

async function preflightNode(target: Target, options: NodeOptions): Promise<Preflight<NodeOptions>> {
  try {
    const node = await inspectProcess(target, options.scope);
    const found = node.isOpen
      ? `port ${node.port} is open and stays open`
      : 'closed; SIGUSR1 opens it, and the program’s stderr gets Node’s lines about it';
    const plan = planNode(options, node);
    const inspector: Check = checkOf('inspector', 'ok', found);
    if (options.withPerf !== true) return { checks: [inspector], plan };
    const { checks, beside } = await planBeside(target, { ...options.scope, startTicks: node.startTicks });
    return { checks: [inspector, ...checks], plan: beside === null ? null : { ...plan, beside } };
  } catch (error) {
    const { message, remedy } = toFailure(error);
    return { checks: [checkOf('inspector', 'failed', message, remedy)], plan: null };
  }
}
