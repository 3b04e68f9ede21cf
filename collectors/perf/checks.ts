import type { Check, PerfOptions } from '#core/contract/schemas.ts';
import { installPackage } from '../install-package.ts';
import { checkOf } from '../check.ts';
import type { RecordingFailure } from '../recording-failure.ts';
import type { KernelSettings } from '../target/kernel-settings.ts';
import { checkConfinement, explainConfinement } from './confinement.ts';
import type { CallGraphMode, PerfCapabilities, Trial } from './capabilities.ts';

/** Returns the command that installs perf. */
export function installAdvice(distributions: readonly string[]): string {
  const named = distributions.map((name) => PERF_PACKAGES.get(name)).find((name) => name !== undefined);
  return installPackage(distributions, named ?? 'perf');
}

/** Names of perf's package other than `perf`. */
const PERF_PACKAGES: ReadonlyMap<string, string> = new Map([
  ['ubuntu', 'linux-tools-$(uname -r)'],
  ['debian', 'linux-perf'],
]);

/** Returns all checks of perf, each with its remedy. */
export function checkPerf(perf: PerfCapabilities | null, settings: KernelSettings): Check[] {
  if (!settings.isLinux) {
    const remedy = 'record on a Linux machine, and open the capture here';
    return [checkOf('perf', 'failed', 'perf records on Linux only', remedy)];
  }
  if (perf === null) {
    const found = 'perf is not installed';
    return [
      checkOf('perf', 'failed', found, installAdvice(settings.distributions)),
      checkParanoid(settings),
      checkKernelSymbols(settings, null),
    ];
  }
  return [
    checkVersion(perf, settings),
    checkEvents(perf, settings),
    checkParanoid(settings),
    ...checkConfinement(settings),
    checkKernelSymbols(settings, perf),
    ...[...perf.callGraphs].map(([mode, trial]) => checkCallGraph(mode, trial)),
  ];
}

function checkVersion({ version, perfPath }: PerfCapabilities, { distributions }: KernelSettings): Check {
  return version === null
    ? checkOf('perf', 'failed', `${perfPath} does not run`, installAdvice(distributions))
    : checkOf('perf', 'ok', `perf ${version} (${perfPath})`);
}

function checkEvents({ event, failure }: PerfCapabilities, settings: KernelSettings): Check {
  const id = 'perf-events';
  if (event === 'cycles') return checkOf(id, 'ok', 'cycles (hardware counter)');
  if (event !== null) {
    const found = 'no hardware counters, as in most virtual machines; cpu-clock is used';
    return checkOf(id, 'ok', found);
  }
  const told = failure === null ? null : explainConfinement(failure, settings);
  return checkOf(id, 'failed', told?.message ?? 'no event works', told?.remedy ?? null);
}

/** Checks the setting, see admin-guide/sysctl/kernel.rst; above 2, Debian and Ubuntu deny everything to users. */
function checkParanoid({ paranoid, privileged }: KernelSettings): Check {
  const id = 'perf-event-paranoid';
  if (paranoid === null) return checkOf(id, 'unknown', 'can’t be read');
  const value = `kernel.perf_event_paranoid is ${paranoid}`;
  if (privileged === true) return checkOf(id, 'ok', `${value}, but this user has all rights`);
  if (paranoid <= -1) return checkOf(id, 'ok', value);
  if (paranoid > 2) {
    const remedy = 'run: sudo sysctl kernel.perf_event_paranoid=1';
    return checkOf(id, 'failed', `${value}: users may not use perf at all`, remedy);
  }
  if (paranoid === 2) {
    const remedy = 'to see the kernel’s part too, run: sudo sysctl kernel.perf_event_paranoid=1';
    return checkOf(id, 'warning', `${value}: own processes only, without the kernel’s part`, remedy);
  }
  const remedy = 'for the whole system or other users’ processes: sudo sysctl kernel.perf_event_paranoid=-1, or root';
  return checkOf(id, 'ok', `${value}: own processes only`, remedy);
}

function checkKernelSymbols({ kernelSymbols, kptrRestrict }: KernelSettings, perf: PerfCapabilities | null): Check {
  const id = 'kernel-symbols';
  const value = kptrRestrict === null ? '' : ` (kernel.kptr_restrict is ${kptrRestrict})`;
  if (kernelSymbols === null) return checkOf(id, 'unknown', `/proc/kallsyms can’t be read${value}`);
  if (kernelSymbols) return checkOf(id, 'ok', `kernel symbols are readable${value}`);
  const matters = perf?.kernelSamples !== false;
  // With kptr_restrict 0, the kernel shows addresses to users who may profile it (kallsyms_show_value() in
  // kernel/ksyms_common.c).
  const hidingSetting = kptrRestrict === 0 ? 'kernel.perf_event_paranoid=1' : 'kernel.kptr_restrict=0';
  return checkOf(
    id,
    matters ? 'warning' : 'ok',
    `kernel symbols are hidden${value}${matters ? ': the kernel’s functions will have no names' : '; the kernel’s part is not recorded'}`,
    matters ? `run: sudo sysctl ${hidingSetting}, or record as root` : null,
  );
}

function checkCallGraph(mode: CallGraphMode, trial: Trial): Check {
  const id = `call-graph-${mode}`;
  if (trial.works) return checkOf(id, 'ok', 'works');
  const remedy = mode === 'lbr' ? 'none needed: use fp or dwarf' : trial.failure.remedy;
  return checkOf(id, mode === 'lbr' ? 'absent' : 'warning', trial.failure.message, remedy);
}

/** Returns null if the kernel accepts the rate. */
export function checkRate({ rateHz }: PerfOptions, { maxRateHz }: KernelSettings): Check | null {
  if (maxRateHz === null || rateHz <= maxRateHz) return null;
  const found = `${rateHz} Hz is above kernel.perf_event_max_sample_rate (${maxRateHz})`;
  return checkOf('rate', 'failed', found, `use --rate ${maxRateHz} or less`);
}

/** Returns only the checks that prevent a recording with these options. */
export function checkOptions(options: PerfOptions, settings: KernelSettings, scope: Trial): Check[] {
  const rate = checkRate(options, settings);
  return [
    ...(rate === null ? [] : [rate]),
    scope.works
      ? checkOf('permission', 'ok', 'perf may record this')
      : { id: 'permission', status: 'failed', ...refusal(explainConfinement(scope.failure, settings)) },
  ];
}

const refusal = ({ message, remedy }: RecordingFailure): Pick<Check, 'found' | 'remedy'> => ({
  found: message,
  remedy,
});
