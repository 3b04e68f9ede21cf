import type { BpftraceOptions } from '#core/contract/bpftrace.ts';
import { diagnostic, type Diagnostic } from '#core/model/diagnostics.ts';
import { commandsOf } from '../collector.ts';
import type { TraceTool } from '../trace-recording.ts';
import { explainBpftraceFailure, isNoise } from './explain-failure.ts';
import { BPFTRACE_ENVIRONMENT, RAW_FILE } from './plan.ts';

export const bpftraceTool: TraceTool<BpftraceOptions> = {
  name: 'bpftrace',
  rawFile: RAW_FILE,
  environment: BPFTRACE_ENVIRONMENT,
  // `, 4711, 4711, nginx]: 12`
  rowEnd: /\]: \d+\n/,
  preparing: 'was starting',
  isNoise,
  // bpftrace first prints the number of probes that it attaches; a recipe then prints its header.
  hasBegun: (text) => /\n./.test(text),
  prepare: ({ plan }) => Promise.resolve(commandsOf(plan)[0] ?? []),
  explain: explainBpftraceFailure,
  cleanUp: () => Promise.resolve([]),
  report: (stderr) => Promise.resolve({ diagnostics: lostEvents(stderr), skipped: 0 }),
  atTargetEnd: 'stacks of its last second have addresses instead of names',
  scriptsPrint: 'Count stacks in a map: `@[ustack] = count();`.',
};

/** Reads what bpftrace lost from its stderr, with one diagnostic per kind. */
function lostEvents(stderr: string): Diagnostic[] {
  const lines = stderr.split('\n');
  const events = lines.reduce((sum, line) => sum + Number(/^Lost (\d{1,15}) events/.exec(line)?.[1] ?? 0), 0);
  const stacks = lines.filter((line) => line.includes('failed to look up stack id')).length;
  const remedy = 'Record one process or a lower rate.';
  const inStacks =
    'Rows lost their stack: the kernel’s table of stacks was full. Their weight counts as samples without a stack.';
  return [
    diagnostic('lost-events', 'bpftrace lost events between the kernel and its output.', { count: events, remedy }),
    diagnostic('lost-stacks', inStacks, { count: stacks, remedy }),
  ].filter(({ count }) => count > 0);
}
