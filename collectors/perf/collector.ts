import type { Check, PerfOptions, ProcessRow } from '#core/contract/schemas.ts';
import { redactArgv } from '#core/redact/redact-argv.ts';
import { commandTitle } from '#core/redact/redact-document.ts';
import type { Collector, Plan, Preflight, RecordingOutcome } from '../collector.ts';
import { readProcStat } from '../target/processes.ts';
import type { Target } from '../target/target.ts';
import { probePerf, tryScope } from './capabilities.ts';
import { checkOptions, checkPerf, checkRate, readKernelSettings } from './checks.ts';
import { startPerf } from './driver.ts';
import { checkEvents } from './event-check.ts';
import { asForRoot, guessEvent, offerSudo, planElevation } from './elevation.ts';
import { doubleRing, planPerf, type PerfFacts, RAW_FILE, TEXT_FILE } from './plan.ts';
import { recoverPerf } from './recover.ts';

/** perf of the Linux kernel, on any target that has it. */
export const perfCollector: Collector<PerfOptions> = {
  id: 'perf',
  label: 'perf (Linux)',
  output: { primaryFile: TEXT_FILE, otherFiles: [RAW_FILE], format: 'perf-script' },
  preflight: preflightPerf,
  start: startPerf,
  planNext: (plan: Plan<PerfOptions>, last: RecordingOutcome) => (last.lost > 0 ? doubleRing(plan) : plan),
  scope: ({ scope }) => scope,
  title: describeScope,
  correct: (options, { callGraph, stackBytes }) => ({
    ...options,
    callGraph,
    ...(stackBytes === undefined ? {} : { stackBytes }),
  }),
  recover: recoverPerf,
};

/** `nginx (4711)`, `./server`, `whole system` */
function describeScope({ scope }: PerfOptions, process: ProcessRow | null): string {
  switch (scope.kind) {
    case 'pid':
      return `${process?.name ?? 'process'} (${scope.pid})`;
    case 'command':
      return commandTitle(redactArgv(scope.argv));
    case 'system':
      return 'whole system';
  }
}

async function preflightPerf(target: Target, given: PerfOptions): Promise<Preflight<PerfOptions>> {
  const options = await identifyProcess(target, given);
  const [settings, perf, scopeCheck, sudo] = await Promise.all([
    readKernelSettings(target),
    probePerf(target, []),
    checkScope(target, options),
    target.root?.sudoArgv() ?? null,
  ]);
  const elevation =
    options.asRoot === true && settings.privileged !== true ? planElevation(target, sudo, options) : null;
  const checks = [...checkPerf(perf, settings), ...scopeCheck];
  const event = options.event ?? perf?.event ?? (elevation && (await guessEvent(target)));
  if (perf === null || event === null || scopeCheck.some(({ status }) => status === 'failed')) {
    return { checks, plan: null };
  }
  // Nothing of the caller's reaches perf before it has passed here: perf compiles and loads what some names of events stand for.
  const asked =
    options.event === null
      ? null
      : await checkEvents(target, perf.perfPath, options.event, { asRoot: elevation !== null });
  if (asked?.status === 'failed') return { checks: [...checks, asked], plan: null };
  const found =
    elevation === null
      ? checkOptions(options, settings, offerSudo(await tryScope(target, perf.perfPath, options, event), sudo))
      : [checkRate(options, settings), elevation.check].filter((check) => check !== null);
  const possible = found.every(({ status }) => status !== 'failed');
  const facts = {
    ...perf,
    event,
    privileged: settings.privileged === true || elevation !== null,
    remote: target.kind !== 'local',
    sudo: elevation?.sudo ?? null,
  };
  const known = elevation === null ? checks : checks.map(asForRoot);
  return { checks: [...known, ...found], plan: possible ? planWithFallback(facts, options) : null };
}

/** `auto` begins with frame pointers; what it may go on with is planned, shown and confirmed with it. */
function planWithFallback(facts: PerfFacts, options: PerfOptions): Plan<PerfOptions> {
  if (options.callGraph !== 'auto') return planPerf(facts, options);
  const fallback = planPerf(facts, { ...options, callGraph: 'dwarf' });
  return { ...planPerf(facts, { ...options, callGraph: 'fp' }), fallback };
}

/** A PID alone may be another process by the time it is recorded: its start time is part of the plan. */
async function identifyProcess(target: Target, options: PerfOptions): Promise<PerfOptions> {
  const { scope } = options;
  if (scope.kind !== 'pid' || scope.startTicks !== null) return options;
  const startTicks = (await readProcStat(target, scope.pid))?.startTicks ?? null;
  return { ...options, scope: { ...scope, startTicks } };
}

/** Whether there is something to record. */
async function checkScope(target: Target, { scope }: PerfOptions): Promise<Check[]> {
  const failed = (found: string, remedy: string): Check[] => [{ id: 'target', status: 'failed', found, remedy }];
  switch (scope.kind) {
    case 'system':
      return [];
    case 'command': {
      const program = scope.argv[0] ?? '';
      if (program.includes('/') || (await target.findExecutable(program)) !== null) return [];
      return failed(`no such program: ${JSON.stringify(program)}`, 'give its path, or check its spelling');
    }
    case 'pid': {
      const stat = await readProcStat(target, scope.pid);
      if (stat === null)
        return failed(`there is no process ${scope.pid}`, 'choose a running one: flamebench ps lists them');
      if (scope.startTicks === null || scope.startTicks === stat.startTicks) return [];
      return failed(`process ${scope.pid} is no longer the selected process`, 'select it again from the list');
    }
  }
}
