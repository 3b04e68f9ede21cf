import { startArgv } from '#core/contract/launched-command.ts';
import { perfSupport } from '#core/contract/python-launch.ts';
import type { PerfOptions } from '#core/contract/schemas.ts';
import { commandsOf, commandStep, LAUNCHED_PID, type Plan } from '../collector.ts';
import type { CallGraphMode } from './capabilities.ts';
import { scopeArgv } from './scope.ts';

/** The facts about the target that {@link planPerf} needs. */
export interface PerfFacts {
  /** Absolute path. */
  readonly perfPath: string;
  readonly version: string | null;
  readonly control: boolean;
  readonly event: string;
  /** perf runs as root or with CAP_IPC_LOCK, so its rings may exceed kernel.perf_event_mlock_kb. */
  readonly privileged: boolean;
  /** Recording over a link: only text crosses it, unless perf's stream is kept, too. */
  readonly remote: boolean;
  /** The argv by which perf becomes root; see {@link Plan.sudo}. */
  readonly sudo: readonly string[] | null;
  /** Path of coreutils' `stdbuf`, with which `perf script` prints soon what it has; null if absent or not wanted. */
  readonly stdbuf: string | null;
}

export const PERF_RAW_FILE = 'raw.perf.data';
export const TEXT_FILE = 'raw.perf-script.txt';

/**
 * Fields of `perf script` that the importer reads. Times have all digits; `+0x…` distinguishes addresses of the same
 * function.
 */
export const SCRIPT_FIELDS: readonly string[] = 'comm,pid,tid,cpu,time,event,period,ip,sym,symoff,dso'.split(',');

/**
 * Holds about one sample's text, which an idle process's last sample waits for. Line buffering (`-oL`) writes about 20
 * times as often, which costs 0.75 % of a CPU at 99 Hz over ssh (`node scripts/bench/live-ssh.ts`).
 */
const SMALL_BUFFER = '-o1024';

const LOST_EVENTS = '--show-lost-events';

/** Returns the exact commands: `perf record`, `perf inject` if needed, and `perf script` on its output. Pure. */
export function planPerf(facts: PerfFacts, options: PerfOptions): Plan<PerfOptions> {
  const { perfPath, version, event } = facts;
  const { scope } = options;
  const piped = facts.remote && options.keepPerfData !== true;
  const script = scriptArgv(perfPath, { lost: piped && facts.control });
  const inject = unwindsDump(facts, options) ? [injectArgv(perfPath)] : [];
  const plan: Plan<PerfOptions> = {
    collector: 'perf',
    options,
    ...(scope.kind === 'command' ? { launch: startArgv(scope) } : {}),
    steps: [
      recordArgv(facts, options),
      ...inject,
      facts.stdbuf === null ? script : [facts.stdbuf, SMALL_BUFFER, ...script],
    ].map(commandStep),
    piped,
    sudo: facts.sudo,
    otherFiles: piped ? [] : [PERF_RAW_FILE],
    toolVersion: version,
    event,
    rateHz: options.rateHz,
  };
  return inject.length === 0 ? plan : onMonotonicClock(plan);
}

/**
 * Returns whether a dump of compiled code says how it is unwound. perf reads it once its process has ended, by times on
 * CLOCK_MONOTONIC, so not while the text is made beside the recording.
 */
const unwindsDump = ({ remote }: PerfFacts, { callGraph, scope, watched, keepPerfData }: PerfOptions): boolean =>
  (!remote || keepPerfData === true) && watched !== true && callGraph === 'dwarf' && perfSupport(scope) === 'perf_jit';

/** Adds the code of dumps to a stream, as files next to them that `perf script` reads. */
const injectArgv = (perfPath: string): string[] => [perfPath, 'inject', '--jit', '-i', '-', '-o', '-'];

/**
 * `--no-bpf-event` (5.1) avoids a thread for which perf waits a second at the end; names of BPF programs still come
 * from kallsyms and ksymbol events.
 */
function recordArgv(facts: PerfFacts, options: PerfOptions): string[] {
  const { scope, rateHz } = options;
  const control = usesControl(facts, options);
  return [
    facts.perfPath,
    'record',
    '-o',
    '-',
    '-e',
    facts.event,
    '-F',
    String(rateHz),
    ...callGraphArgv(options),
    '--sample-cpu',
    ...(facts.control ? ['--no-bpf-event'] : []),
    '-m',
    String(ringPages(options, { prompt: control || wakesPerSample(options), privileged: facts.privileged })),
    ...(control && scope.kind === 'command' ? DISABLED : []),
    ...(control ? ['--control', 'fd:0'] : wakesPerSample(options) ? ['--no-buffering'] : []),
    ...scopeArgv(scope, facts.event, LAUNCHED_PID),
  ];
}

/**
 * Events begin disabled; a line on the control descriptor enables them, and perf says so on stderr ({@link
 * EVENTS_ENABLED}). A launched program is released then, so that perf misses nothing of it.
 */
const DISABLED = ['-D', '-1'];
export const EVENTS_ENABLED = 'Events enabled';

/** Returns the plan's commands with the PID of the launched program. */
export function commandsFor(plan: Plan<PerfOptions>, launchedPid: number | null): (readonly string[])[] {
  const commands = commandsOf(plan);
  if (launchedPid === null) return commands;
  return commands.map((argv) => argv.map((word) => (word === LAUNCHED_PID ? String(launchedPid) : word)));
}

function callGraphArgv({ callGraph, stackBytes }: PerfOptions): string[] {
  if (callGraph === 'fp' || callGraph === 'auto') return ['-g'];
  return ['--call-graph', callGraph === 'dwarf' && stackBytes !== undefined ? `dwarf,${stackBytes}` : callGraph];
}

/** Input and output of `perf script`; by default it reads a stream on its input and prints no header. */
interface ScriptRequest {
  /** Path of a file; `-`: a stream on its input. */
  readonly input?: string;
  /**
   * Also prints lost samples, which perf's stream reports differently. Available since 4.20; used only with a perf that
   * has `--control`, to be safe.
   */
  readonly lost?: boolean;
  /** Also prints the recording's facts about itself and the machine. */
  readonly header?: boolean;
  /** perf rejects fields that the samples do not have. */
  readonly fields?: readonly string[];
}

/** `--force`: as root, perf rejects JIT maps that belong to the target's user, but their symbols are needed here. */
export function scriptArgv(perfPath: string, request: ScriptRequest = {}): string[] {
  const { input = '-', lost = false, header = false, fields = SCRIPT_FIELDS } = request;
  const shown = [...(header ? ['--header'] : []), ...(lost ? [LOST_EVENTS] : [])];
  return [perfPath, 'script', '-i', input, '--force', '--no-inline', '--ns', ...shown, '-F', fields.join(',')];
}

/**
 * perf empties its rings when one is half full, or when a line arrives on its control descriptor. The driver sends one
 * each {@link pingMs}, and in a pipeline the target does four times a second, so whatever the rate, a kill loses less
 * than half a second. A stream that is kept over a link gets none, because each line would have to cross it.
 */
function usesControl({ control, remote }: PerfFacts, { keepPerfData }: PerfOptions): boolean {
  return control && !(remote && keepPerfData === true);
}

/** Returns whether lost samples are visible: in perf's stream, or in the text. */
export const countsLost = (plan: Plan<PerfOptions>): boolean =>
  !plan.piped || (commandsOf(plan)[1]?.includes(LOST_EVENTS) ?? false);

const WATCHED_PING_MS = 250;
/** Each round wakes perf and Flamebench, which is most of what a recording costs. */
const PING_MS = 400;

export const pingMs = ({ watched = false }: Pick<PerfOptions, 'watched'>): number =>
  watched ? WATCHED_PING_MS : PING_MS;

/** Returns whether the plan's `perf record` reads lines on its input. */
export const takesPings = (plan: Plan<PerfOptions>): boolean => commandsOf(plan)[0]?.includes('--control') ?? false;

/**
 * Up to this rate a wake-up per sample costs perf at most 3 % of a CPU (measured, perf 6.1: 0.7 s per 40,000 samples).
 */
const WAKE_PER_SAMPLE_MAX_HZ = 1000;

const wakesPerSample = ({ rateHz }: PerfOptions): boolean => rateHz <= WAKE_PER_SAMPLE_MAX_HZ;

const PAGE_BYTES = 4096;
/** kernel.perf_event_mlock_kb is 516 by default: 128 pages plus perf's own. */
const MAX_PAGES_UNPRIVILEGED = 128;
const MAX_PAGES = 1024;

/** Bytes that perf copies of each stack with `dwarf`. */
export const DEFAULT_STACK_BYTES = 8192;
/**
 * Bytes of a sample in the ring: 56 of fixed fields; 8 per frame; for dwarf, 8 KiB of stack and the registers; for lbr,
 * 32 branches.
 */
const SAMPLE_BYTES: Readonly<Record<CallGraphMode, { shallow: number; typical: number; deepest: number }>> = {
  fp: { shallow: 100, typical: 400, deepest: 1100 },
  dwarf: { shallow: 8600, typical: 8800, deepest: 9600 },
  lbr: { shallow: 900, typical: 1200, deepest: 1900 },
};

/**
 * Returns the number of pages of one CPU's ring, so that half of it (for which perf waits) fills within 0.5 s at the
 * chosen rate on a busy CPU. Assumes samples of typical size if perf is also woken otherwise (`prompt`), shallow ones
 * if not. A ring holds at least a few of the deepest samples.
 */
export function ringPages(
  { rateHz, callGraph, stackBytes }: Pick<PerfOptions, 'rateHz' | 'callGraph' | 'stackBytes'>,
  { prompt, privileged }: { readonly prompt: boolean; readonly privileged: boolean },
): number {
  const copied = callGraph === 'dwarf' ? (stackBytes ?? DEFAULT_STACK_BYTES) - DEFAULT_STACK_BYTES : 0;
  const { shallow, typical, deepest } = SAMPLE_BYTES[callGraph === 'auto' ? 'fp' : callGraph];
  const second = ((prompt ? typical : shallow) + copied) * rateHz;
  const most = privileged ? MAX_PAGES : MAX_PAGES_UNPRIVILEGED;
  const least = powerOfTwoBelow(((deepest + copied) * 4) / PAGE_BYTES) * 2;
  return Math.min(most, Math.max(least, powerOfTwoBelow(second / PAGE_BYTES)));
}

const powerOfTwoBelow = (value: number): number => (value < 1 ? 1 : 2 ** Math.floor(Math.log2(value)));

/** Returns the plan with times on CLOCK_MONOTONIC, as runtimes have them, instead of perf's own clock. */
export function onMonotonicClock(plan: Plan<PerfOptions>): Plan<PerfOptions> {
  const [record, ...others] = commandsOf(plan);
  return { ...plan, steps: [record!.toSpliced(2, 0, '-k', 'CLOCK_MONOTONIC'), ...others].map(commandStep) };
}

/** Returns the plan with rings twice as large, for the run after one that lost samples. */
export function doubleRing(plan: Plan<PerfOptions>): Plan<PerfOptions> {
  const steps = commandsOf(plan).map((argv) => {
    const at = argv.indexOf('-m') + 1;
    const pages = Number(argv[at]);
    return commandStep(at > 0 && pages < MAX_PAGES ? argv.with(at, String(pages * 2)) : argv);
  });
  return { ...plan, steps };
}
