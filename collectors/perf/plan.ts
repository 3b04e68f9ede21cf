import type { PerfOptions } from '#core/contract/schemas.ts';
import { commandsOf, commandStep, type Plan } from '../collector.ts';
import type { CallGraphMode } from './capabilities.ts';

/** What {@link planPerf} needs to know of the target. */
export interface PerfFacts {
  /** Absolute path. */
  readonly perfPath: string;
  readonly version: string | null;
  readonly control: boolean;
  readonly event: string;
  /** perf runs as root or with CAP_IPC_LOCK: its rings may be larger than kernel.perf_event_mlock_kb. */
  readonly privileged: boolean;
  /** Over a link: text alone crosses it, unless perf's stream is to be kept too. */
  readonly remote: boolean;
  /** The argv by which it becomes root; see {@link Plan.sudo}. */
  readonly sudo: readonly string[] | null;
}

export const RAW_FILE = 'raw.perf.data';
export const TEXT_FILE = 'raw.perf-script.txt';

/** Fields of `perf script` that the importer reads. Times with all digits; `+0x…` keeps addresses of a function apart. */
export const SCRIPT_FIELDS: readonly string[] = 'comm,pid,tid,cpu,time,event,period,ip,sym,symoff,dso'.split(',');

const LOST_EVENTS = '--show-lost-events';

/** Exactly what will run: `perf record`, and `perf script` on its output. Pure. */
export function planPerf(facts: PerfFacts, options: PerfOptions): Plan<PerfOptions> {
  const { perfPath, version, event } = facts;
  const piped = facts.remote && options.keepPerfData !== true;
  return {
    collector: 'perf',
    options,
    steps: [recordArgv(facts, options), scriptArgv(perfPath, { lost: piped && facts.control })].map(commandStep),
    piped,
    sudo: facts.sudo,
    otherFiles: piped ? [] : [RAW_FILE],
    toolVersion: version,
    event,
    rateHz: options.rateHz,
  };
}

/**
 * `--no-bpf-event` (5.1) spares perf a thread that it waits a second for at the end; names of BPF programs come from kallsyms and
 * ksymbol events all the same.
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
    ...(control ? ['--control', 'fd:0'] : wakesPerSample(options) ? ['--no-buffering'] : []),
    ...(scope.kind === 'pid' ? ['-p', String(scope.pid)] : scope.kind === 'system' ? ['-a'] : ['--', ...scope.argv]),
  ];
}

function callGraphArgv({ callGraph, stackBytes }: PerfOptions): string[] {
  if (callGraph === 'fp' || callGraph === 'auto') return ['-g'];
  return ['--call-graph', callGraph === 'dwarf' && stackBytes !== undefined ? `dwarf,${stackBytes}` : callGraph];
}

/** What `perf script` is to read, and print of it; by default a stream on its input, without a header. */
export interface ScriptRequest {
  /** Of a file; `-`: a stream on its input. */
  readonly input?: string;
  /** Also what perf lost, which its stream says otherwise (as new as `--control`, to be safe: 4.20). */
  readonly lost?: boolean;
  /** Also what the recording says of itself and of the machine. */
  readonly header?: boolean;
  /** perf refuses fields that the samples don't have. */
  readonly fields?: readonly string[];
}

/** `--force`: as root, perf refuses JIT maps that belong to the target's user; reading symbols from them is what we are here for. */
export function scriptArgv(perfPath: string, request: ScriptRequest = {}): string[] {
  const { input = '-', lost = false, header = false, fields = SCRIPT_FIELDS } = request;
  const shown = [...(header ? ['--header'] : []), ...(lost ? [LOST_EVENTS] : [])];
  return [perfPath, 'script', '-i', input, '--force', '--no-inline', '--ns', ...shown, '-F', fields.join(',')];
}

/**
 * perf empties its rings when one is half full, or when a line arrives on its control descriptor. The driver sends one each
 * {@link PING_MS}, so whatever the rate, a kill loses less than that; in a pipeline the target does, each second. A launched command would
 * share the descriptor: it has none. Nor has a stream that is kept over a link, which each line would have to cross.
 */
function usesControl({ control, remote }: PerfFacts, { scope, keepPerfData }: PerfOptions): boolean {
  return control && scope.kind !== 'command' && !(remote && keepPerfData === true);
}

/** Whether it is seen what perf loses: in its stream, or in the text. */
export const countsLost = (plan: Plan<PerfOptions>): boolean =>
  !plan.piped || (commandsOf(plan)[1]?.includes(LOST_EVENTS) ?? false);

export const PING_MS = 250;

/** Whether the plan's `perf record` takes lines on its input. */
export const takesPings = (plan: Plan<PerfOptions>): boolean => commandsOf(plan)[0]?.includes('--control') ?? false;

/** Up to this rate a wake-up per sample costs perf no more than 3 % of a CPU (measured, perf 6.1: 0.7 s per 40,000 samples). */
const WAKE_PER_SAMPLE_MAX_HZ = 1000;

const wakesPerSample = ({ rateHz }: PerfOptions): boolean => rateHz <= WAKE_PER_SAMPLE_MAX_HZ;

const PAGE_BYTES = 4096;
/** kernel.perf_event_mlock_kb is 516 by default: 128 pages and perf's own. */
const MAX_PAGES_UNPRIVILEGED = 128;
const MAX_PAGES = 1024;

/** What perf copies of a stack with `dwarf`. */
export const DEFAULT_STACK_BYTES = 8192;
/** Bytes of a sample in the ring: 56 of fixed fields; 8 per frame; for dwarf, 8 KiB of stack and the registers; for lbr, 32 branches. */
const SAMPLE_BYTES: Readonly<Record<CallGraphMode, { shallow: number; typical: number; deepest: number }>> = {
  fp: { shallow: 100, typical: 400, deepest: 1100 },
  dwarf: { shallow: 8600, typical: 8800, deepest: 9600 },
  lbr: { shallow: 900, typical: 1200, deepest: 1900 },
};

/**
 * Pages of the ring of one CPU: so that half of it, which is what perf waits for, fills within 0.5 s at the chosen rate on a busy CPU.
 * Where perf is woken otherwise too (`prompt`), samples of typical size count, else shallow ones. Holds at least a few of the deepest.
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

/** The same plan with rings twice as large: for the run after one that lost samples. */
export function doubleRing(plan: Plan<PerfOptions>): Plan<PerfOptions> {
  const steps = commandsOf(plan).map((argv) => {
    const at = argv.indexOf('-m') + 1;
    const pages = Number(argv[at]);
    return commandStep(at > 0 && pages < MAX_PAGES ? argv.with(at, String(pages * 2)) : argv);
  });
  return { ...plan, steps };
}
