import type { Check, PerfOptions, ProcessRow } from '#core/contract/schemas.ts';
import { redactArgv } from '#core/redact/redact-argv.ts';
import { isPreparedPython, PYTHON_STACKS } from '#core/contract/python-launch.ts';
import { commandTitle } from '#core/contract/launched-command.ts';
import { checkOf } from '../check.ts';
import { checkIdentity } from '../chosen-process.ts';
import type { Collector, CollectorMemory, Plan, Preflight, RecordingOutcome } from '../collector.ts';
import { readProcStat } from '../target/processes.ts';
import type { Target } from '../target/target.ts';
import type { Trial } from './capabilities.ts';
import { withMemory } from './build-memory.ts';
import { checkOptions, checkPerf, checkRate } from './checks.ts';
import { startPerf } from './driver.ts';
import { checkEvents } from './event-check.ts';
import { perfLive } from './live.ts';
import { findPerf, PERF_HOSTS, type PerfMemory } from './perf-memory.ts';
import { doubleRing, planPerf, PERF_RAW_FILE, TEXT_FILE, type PerfFacts } from './plan.ts';
import { advisePython } from './python-advice.ts';
import { recoverPerf } from './recover.ts';
import { hasControlGroup } from './scope.ts';
import { readKernelSettings } from '../target/kernel-settings.ts';

/** Returns perf's collector; with a memory, it tries nothing that it knows. */
const createPerfCollector = (memory?: CollectorMemory): Collector<PerfOptions> => ({
  id: 'perf',
  label: 'perf (Linux)',
  output: { primaryFile: TEXT_FILE, otherFiles: [PERF_RAW_FILE], format: 'perf-script' },
  with: (services) =>
    services.memory === undefined ? perfCollector : withMemory(createPerfCollector(services.memory), services.memory),
  preflight: async (target, options) => preflightPerf(target, options, await memory?.table(PERF_HOSTS)),
  start: startPerf,
  planNext: (plan: Plan<PerfOptions>, last: RecordingOutcome) =>
    last.diagnostics.some(({ code }) => code === 'lost-samples') ? doubleRing(plan) : plan,
  scope: ({ scope }) => scope,
  title: describeScope,
  live: perfLive,
  correct: (options, { callGraph, stackBytes }) => ({
    ...options,
    callGraph,
    ...(stackBytes === undefined ? {} : { stackBytes }),
  }),
  recover: recoverPerf,
});

/** perf of the Linux kernel, on any target that has it. */
export const perfCollector = createPerfCollector();

/** Returns `nginx (4711)`, `./server`, `whole system`. */
function describeScope({ scope }: PerfOptions, process: ProcessRow | null): string {
  switch (scope.kind) {
    case 'pid':
      return `${process?.name ?? 'process'} (${scope.pid})`;
    case 'command':
      return commandTitle(redactArgv(scope.argv));
    case 'system':
      return 'whole system';
    case 'cgroup':
      return scope.name ?? `control group ${scope.path}`;
  }
}

/** Plans a recording. `memory` avoids trial runs of perf; if absent, everything is tried. */
async function preflightPerf(target: Target, given: PerfOptions, memory?: PerfMemory): Promise<Preflight<PerfOptions>> {
  const options = forPython(await identifyProcess(target, given));
  const [[settings, known], scopeCheck, sudo] = await Promise.all([
    readKernelSettings(target).then(async (found) => [found, await findPerf(target, found, memory)] as const),
    checkScope(target, options),
    target.root?.sudoArgv() ?? null,
  ]);
  const perf = known.capabilities;
  const elevation =
    options.asRoot === true && settings.privileged !== true ? planElevation(target, sudo, options) : null;
  const checks = [...checkPerf(perf, settings), ...scopeCheck];
  const event = options.event ?? perf?.event ?? (elevation && (await guessEvent(target)));
  if (perf === null || event === null || scopeCheck.some(({ status }) => status === 'failed')) {
    return { checks, plan: null };
  }
  // The caller's event must pass this check before it reaches perf, because perf compiles and loads code for some event
  // names.
  const asked =
    options.event === null
      ? null
      : await checkEvents(target, perf.perfPath, options.event, { asRoot: elevation !== null });
  if (asked?.status === 'failed') return { checks: [...checks, asked], plan: null };
  const found =
    elevation === null
      ? checkOptions(options, settings, offerSudo(await known.tryScope(options, event), sudo))
      : [checkRate(options, settings), elevation.check].filter((check) => check !== null);
  const stdbuf = options.watched === true ? await target.findExecutable('stdbuf') : null;
  if (options.watched === true && stdbuf === null) found.push(NO_STDBUF);
  const possible = found.every(({ status }) => status !== 'failed');
  const facts = {
    ...perf,
    event,
    privileged: settings.privileged === true || elevation !== null,
    remote: target.kind !== 'local',
    sudo: elevation?.sudo ?? null,
    stdbuf,
  };
  const shown = elevation === null ? checks : checks.map(asForRoot);
  if (!possible) return { checks: [...shown, ...found], plan: null };
  const advice = await advisePython(target, options);
  const plan = planWithFallback(facts, options);
  return { checks: [...shown, ...found], plan: advice === null ? plan : { ...plan, remark: advice } };
}

/** Returns `auto` resolved for a Python that is prepared for perf. */
const forPython = (options: PerfOptions): PerfOptions =>
  options.callGraph === 'auto' && isPreparedPython(options.scope) === true ? { ...options, ...PYTHON_STACKS } : options;

const NO_STDBUF: Check = checkOf(
  'output-buffer',
  'warning',
  'there is no stdbuf, so the text of an idle process comes in pieces of 4 KiB',
  'install coreutils',
);

/** Plans `auto` with frame pointers; its fallback is planned, shown and confirmed at the same time. */
function planWithFallback(facts: PerfFacts, options: PerfOptions): Plan<PerfOptions> {
  if (options.callGraph !== 'auto') return planPerf(facts, options);
  const fallback = planPerf(facts, { ...options, callGraph: 'dwarf' });
  return { ...planPerf(facts, { ...options, callGraph: 'fp' }), fallback };
}

/**
 * Adds the process's start time to the plan, because its PID may belong to another process by the time it is recorded.
 */
async function identifyProcess(target: Target, options: PerfOptions): Promise<PerfOptions> {
  const { scope } = options;
  if (scope.kind !== 'pid' || scope.startTicks !== null) return options;
  const startTicks = (await readProcStat(target, scope.pid))?.startTicks ?? null;
  return { ...options, scope: { ...scope, startTicks } };
}

/** Checks whether there is something to record. */
async function checkScope(target: Target, { scope }: PerfOptions): Promise<Check[]> {
  const failed = (found: string, remedy: string): Check[] => [checkOf('target', 'failed', found, remedy)];
  switch (scope.kind) {
    case 'system':
      return [];
    case 'cgroup':
      if (await hasControlGroup(target, scope.path)) return [];
      return failed(
        `there is no control group ${JSON.stringify(scope.path)}`,
        'flamebench ps --json shows the control group of each process',
      );
    case 'command': {
      const { cwd, env = [] } = scope;
      if (cwd !== undefined && (await target.stat(`${cwd}/.`)) === null)
        return failed(`no such folder: ${JSON.stringify(cwd)}`, 'give the path of a folder that this user can enter');
      // The launched program is looked up in its own PATH.
      if (env.some((word) => word.startsWith('PATH='))) return [];
      const program = scope.argv[0] ?? '';
      if (program.includes('/') || (await target.findExecutable(program)) !== null) return [];
      return failed(`no such program: ${JSON.stringify(program)}`, 'give its path, or check its spelling');
    }
    case 'pid': {
      const failure = checkIdentity(scope, await readProcStat(target, scope.pid));
      return failure === null ? [] : [failure];
    }
  }
}

/** How perf becomes root on a target. */
interface Elevation {
  /** Null if it can't. */
  readonly sudo: readonly string[] | null;
  readonly check: Check;
}

/** `sudo` comes from the target's `root`. Nothing is tried, because it may prompt for a password. */
export function planElevation(target: Target, sudo: readonly string[] | null, options: PerfOptions): Elevation {
  const failed = (found: string, remedy: string): Elevation => ({
    sudo: null,
    check: checkOf('permission', 'failed', found, remedy),
  });
  if (target.root === undefined) return failed('sudo is for other hosts', 'run flamebench itself as root');
  if (sudo === null) return failed('there is no sudo', 'connect as root, or install sudo');
  if (options.keepPerfData === true) {
    return failed(
      'perf’s raw stream can’t be kept if perf runs with sudo',
      'leave --keep-perf-data out, or connect as root',
    );
  }
  const found = 'perf runs as root, with sudo, which may ask for a password in the terminal';
  return { sudo, check: checkOf('permission', 'ok', found) };
}

/** Checks that fail for the user but not for root. */
const OF_USERS = new Set(['perf-events', 'perf-event-paranoid', 'kernel-symbols']);

/** Returns the same check for a recording as root. */
export function asForRoot(check: Check): Check {
  if (!OF_USERS.has(check.id) || check.status === 'ok' || check.status === 'unknown') return check;
  return { ...check, status: 'ok', found: `${check.found}; root can`, remedy: null };
}

/**
 * Guesses the event that will work for root if none works for the user: a machine with hardware counters lists them as
 * a device.
 */
async function guessEvent(target: Target): Promise<string> {
  const devices = await target.listDirectory('/sys/bus/event_source/devices').catch(() => []);
  return devices.some((name) => /^(?:cpu(?:_core)?|armv\w*_pmu\w*)$/.test(name)) ? 'cycles' : 'cpu-clock';
}

/** Mentions sudo if it would avoid the refusal. */
export function offerSudo(trial: Trial, sudo: readonly string[] | null): Trial {
  if (trial.works || sudo === null || !REFUSALS.has(trial.failure.code)) return trial;
  const { code, remedy } = trial.failure;
  const otherwise = code === 'other-user' || remedy === null ? 'log in as its user' : remedy;
  return { works: false, failure: { ...trial.failure, remedy: `record as root with --sudo, or ${otherwise}` } };
}

const REFUSALS = new Set(['perf-refused', 'other-user']);
