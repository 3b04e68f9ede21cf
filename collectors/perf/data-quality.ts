import { basename } from 'node:path';
import type { UnresolvedModule } from '#core/model/capture-quality.ts';
import { isBeyond } from '#core/model/quality-grade.ts';
import { perfSupport } from '#core/contract/python-launch.ts';
import type { PerfOptions } from '#core/contract/schemas.ts';
import { MAX_STACK_BYTES } from '#core/contract/limits.ts';
import { countText, formatShare } from '#core/units/format.ts';
import type { Diagnostic } from '#core/model/diagnostics.ts';
import { CPU_TIME_MISSED } from '#core/contract/corrected-recording.ts';
import type { CpuSeconds } from '../target/cpu-meter.ts';
import { jitAdvice, JIT_MAP_MODULE, mayCompile } from './jit-maps.ts';
import { closedRoot, type ProcessFacts } from './process-facts.ts';
import { DEFAULT_STACK_BYTES } from './plan.ts';
import type { PerfReadBack } from './read-back.ts';
import type { PerfAttr } from './stream.ts';

/** The facts by which a recording is judged. */
export interface RecordedFacts {
  readonly options: PerfOptions;
  readonly event: string | null;
  readonly attrs: readonly PerfAttr[];
  readonly samples: number;
  readonly lost: number;
  /** With other records that perf lost; absent: none. */
  readonly lostRecords?: number;
  readonly cpuSeconds: CpuSeconds | null;
  readonly userSeconds: CpuSeconds | null;
  readonly kept: Pick<PerfReadBack, 'quality' | 'unresolved'>;
  /** perf's own stream is stored next to its text. */
  readonly keepsStream: boolean;
  /** `lost` is known. */
  readonly countsLost: boolean;
  /** Null for launched commands and the whole system. */
  readonly process: ProcessFacts | null;
}

/** With fewer samples, nothing is concluded about their kind. */
export const MIN_SAMPLES = 20;

const HARDWARE = 0;
const SOFTWARE = 1;
/** PERF_COUNT_SW_TASK_CLOCK; cpu-clock is 0. */
const TASK_CLOCK = 1n;
/** PERF_COUNT_SW_DUMMY: perf adds it for events that are not samples. */
const DUMMY = 9n;

/** Returns what the user should know before trusting the capture, each item with its remedy. Pure. */
export function judgeRecording(facts: RecordedFacts): Diagnostic[] {
  return [
    ...judgeAmount(facts),
    ...judgeEvent(facts),
    ...judgeNames(facts),
    ...judgeProcess(facts),
    ...judgeStacks(facts),
    ...judgeFiles(facts),
  ];
}

function judgeAmount(facts: RecordedFacts): Diagnostic[] {
  const { samples, lost, lostRecords = lost, options, cpuSeconds } = facts;
  const missed = judgeMissed(facts);
  const found: Diagnostic[] = missed === null ? [] : [missed];
  if (missed === null && samples === 0) {
    const used = cpuSeconds === null ? 'an unknown amount' : secondsText(cpuSeconds.end - cpuSeconds.start);
    found.push(
      warning(
        'no-samples',
        `No samples: the target used ${used} of CPU time while it was recorded.`,
        1,
        'Record while it works, for longer, or at a higher rate.',
      ),
    );
  }
  if (lost > 0) {
    const share = formatShare(lost, samples + lost);
    found.push(
      warning(
        'lost-samples',
        `perf lost ${share} of the samples: its buffer was full.`,
        lost,
        `Lower the rate (${options.rateHz} Hz)${options.callGraph === 'dwarf' ? ', or use --call-graph fp: dwarf copies ${options.stackBytes ?? DEFAULT_STACK_BYTES} bytes of stack a sample' : ''}; the next run of a series gets a larger buffer.`,
      ),
    );
  }
  if (lostRecords > lost) {
    const count = lostRecords - lost;
    found.push(
      info(
        'lost-records',
        `perf lost about ${countText(count, 'record')} of threads that started or ended: its buffer was full.`,
        count,
        'Samples of such threads may lack the name of their process.',
      ),
    );
  }
  return found;
}

/** Below this share of what the CPU time should have given, samples are missing. */
const LEAST_SAMPLED = 0.7;

type SampledTime = Pick<
  RecordedFacts,
  'options' | 'event' | 'attrs' | 'samples' | 'lost' | 'cpuSeconds' | 'userSeconds'
>;

/**
 * Reports the samples that are missing of those that the CPU time of the recorded processes should have given; null if
 * there are at least {@link LEAST_SAMPLED} of them, within three standard errors of a count, or if that is unknown.
 *
 * The kernel counts a thread's time on each CPU apart (`perf_swevent_init_hrtimer`, kernel/events/core.c), and a thread
 * gives no sample there before it has run for a whole period. 300 threads that use 6 ms each give none at 99 Hz.
 */
export function judgeMissed(facts: SampledTime): Diagnostic | null {
  const { options, samples, lost } = facts;
  const { scope, rateHz } = options;
  const sampled = sampledTime(facts);
  if (sampled === null) return null;
  const due = sampled.seconds * rateHz;
  const least = due * LEAST_SAMPLED;
  if (samples + lost >= least - 3 * Math.sqrt(least)) return null;
  const who = scope.kind === 'command' ? 'the command and its processes used at least' : 'the process used';
  return warning(
    CPU_TIME_MISSED,
    `perf sampled ${secondsText((samples + lost) / rateHz)} of ${sampled.of} (${countText(samples, 'sample')} at ${rateHz} Hz), but ${who} ${secondsText(sampled.seconds)}: the rest is missing.`,
    Math.round(due) - samples - lost,
    'perf misses threads that run only briefly. Record with --system and select the process, with --cgroup if it has a control group to itself, or at a higher --rate.',
  );
}

/** Returns the CPU time that the event samples; null if it is unknown, and for other events than one clock. */
function sampledTime({ event, attrs, cpuSeconds, userSeconds }: SampledTime): SampledSeconds | null {
  const [attr, ...others] = attrs.filter(({ type, config }) => type !== SOFTWARE || config !== DUMMY);
  const isClock =
    attr === undefined
      ? /^(?:cpu|task)-clock\b/.test(event ?? '')
      : attr.type === SOFTWARE && attr.config <= TASK_CLOCK;
  if (!isClock || others.length > 0 || !/^[a-z-]+(?::u)?$/.test(event ?? '')) return null;
  const isUser = attr?.excludesKernel ?? event?.endsWith(':u');
  const read = isUser === true ? userSeconds : cpuSeconds;
  return read && { seconds: read.end - read.start, of: isUser === true ? 'CPU time in user code' : 'CPU time' };
}

interface SampledSeconds {
  readonly seconds: number;
  readonly of: string;
}

const secondsText = (seconds: number): string => `${seconds.toFixed(2)} s`;

/** Returns whether perf silently used cpu-clock because there are no hardware counters for cycles. */
export function isSubstituted({ attrs, event }: Pick<RecordedFacts, 'attrs' | 'event'>): boolean {
  return event !== null && /^(?:cpu-)?cycles\b/.test(event) && attrs[0]?.type === SOFTWARE;
}

function judgeEvent({ attrs, event }: RecordedFacts): Diagnostic[] {
  const [attr] = attrs;
  const found: Diagnostic[] = [];
  if (attr === undefined) return found;
  if (isSubstituted({ attrs, event })) {
    found.push(
      warning(
        'event-substituted',
        `perf recorded cpu-clock in place of ${event ?? 'the event'}: there are no hardware counters here.`,
        1,
        'Compare this capture only with other cpu-clock captures.',
      ),
    );
  }
  if (attr.excludesKernel && (attr.type === HARDWARE || attr.type === SOFTWARE) && !event?.includes(':u')) {
    found.push(
      info(
        'user-only',
        'Only user code was recorded: the kernel does not let this user sample kernel code.',
        1,
        'Run: sudo sysctl kernel.perf_event_paranoid=1, or record as root.',
      ),
    );
  }
  return found;
}

function judgeNames({ kept: { quality, unresolved }, samples }: RecordedFacts): Diagnostic[] {
  if (quality === null) return [];
  const found: Diagnostic[] = [];
  const kernel = unresolved.filter(({ module }) => isKernel(module));
  const other = unresolved.filter(({ module }) => !isKernel(module) && !JIT_MAP_MODULE.test(module));
  if (kernel.length > 0) {
    found.push(
      warning(
        'kernel-symbols-hidden',
        'The kernel’s functions have no names.',
        samplesOf(kernel, samples),
        'Run: sudo sysctl kernel.kptr_restrict=0, or record as root.',
      ),
    );
  }
  if (other.length > 0) {
    const modules = other.slice(0, 3).map(({ module }) => nameOfModule(module));
    const message = `${formatShare(quality.unresolved, 1)} of the weight is in functions without a symbol, most of it in ${modules.join(', ')}.`;
    const remedy = 'Install debug symbols (package …-dbgsym), or build without stripping.';
    const isMuch = isBeyond(quality, 'unresolved');
    const count = samplesOf(unresolved, samples);
    found.push((isMuch ? warning : info)('unresolved-frames', message, count, isMuch ? remedy : null));
  }
  return found;
}

const nameOfModule = (module: string): string =>
  module === '' ? '[unknown]' : module.slice(module.lastIndexOf('/') + 1).slice(0, 60);

/** Returns the number of samples in proportion to their share of the weight. */
function samplesOf(modules: readonly UnresolvedModule[], samples: number): number {
  const share = modules.reduce((sum, module) => sum + module.share, 0);
  return Math.max(1, Math.round(share * samples));
}

function judgeProcess({ process, kept, samples, options }: RecordedFacts): Diagnostic[] {
  const unnamed = kept.unresolved.filter(({ module }) => JIT_MAP_MODULE.test(module));
  const jit = unnamed.length === 0 ? 0 : samplesOf(unnamed, samples);
  if (process === null) {
    const message = 'Code compiled at run time has no names.';
    return jit === 0 ? [] : [warning('jit-map-missing', message, jit, jitAdvice(null))];
  }
  const found: Diagnostic[] = [];
  const { pid, name, runtime, functions, jitMap, ownRoot, container, innerPid } = process;
  const advice = jitAdvice(runtime);
  const closed = options.asRoot === true || kept.unresolved.length === 0 ? null : closedRoot(process);
  if (closed !== null) {
    const count = samplesOf(kept.unresolved, samples);
    found.push(warning('container-closed', `${closed.message}.`, count, `R${closed.remedy.slice(1)}.`));
  } else if (jitMap !== null) {
    found.push(
      info(
        'jit-map',
        `Names of code compiled at run time come from ${basename(jitMap.path)} of process ${pid}.`,
        1,
        null,
      ),
    );
    if (jit > 0)
      found.push(
        warning(
          'jit-map-incomplete',
          `Code compiled at run time has no name in ${basename(jitMap.path)}.`,
          jit,
          advice,
        ),
      );
  } else if (advice !== null && (jit > 0 || mayCompile(runtime))) {
    found.push(
      warning(
        'jit-map-missing',
        `Process ${pid} (${runtime}) wrote no perf-${innerPid}.map: its compiled functions have no names.`,
        Math.max(1, jit),
        advice,
      ),
    );
  } else if (jit > 0) {
    found.push(
      warning(
        'jit-map-missing',
        `Code that process ${pid} (${name}) compiled at run time has no names.`,
        jit,
        jitAdvice(null),
      ),
    );
  }
  if (jitMap === null && functions !== null && samples > 0 && !mayCompile(runtime)) {
    const message = `Process ${pid} runs ${runtime}: perf names its interpreter, not its functions.`;
    found.push(info('interpreted', message, 1, functions));
  }
  if (closed === null && (ownRoot === true || innerPid !== pid)) {
    const where = container ?? 'a container';
    found.push(
      info(
        'container-process',
        `Process ${pid} runs in ${where} as PID ${innerPid}: its binaries and its JIT map are inside.`,
        1,
        'If names are missing, record as root on the host while the container runs, or install perf inside.',
      ),
    );
  }
  return found;
}

function judgeStacks({ kept: { quality }, samples, options, keepsStream }: RecordedFacts): Diagnostic[] {
  if (quality === null || samples < MIN_SAMPLES) return [];
  const cut = judgeRecordedStacks({ kept: { quality }, samples, options, keepsStream });
  const found: Diagnostic[] = cut === null ? [] : [cut];
  if (isBeyond(quality, 'truncated')) {
    found.push(
      warning(
        'truncated-stacks',
        `${formatShare(quality.truncated, 1)} of the stacks are truncated at 127 frames: their outer callers are missing.`,
        Math.round(quality.truncated * samples),
        'Run: sudo sysctl kernel.perf_event_max_stack=512, before recording.',
      ),
    );
  }
  return found;
}

/** Returns null if stacks are complete, or if there are too few samples to tell. */
export function judgeRecordedStacks({
  kept: { quality },
  samples,
  options,
  keepsStream,
}: Pick<RecordedFacts, 'samples' | 'options' | 'keepsStream'> & {
  readonly kept: Pick<RecordedFacts['kept'], 'quality'>;
}): Diagnostic | null {
  if (quality === null || samples < MIN_SAMPLES || !isBeyond(quality, 'unrooted')) return null;
  const [share, count] = [formatShare(quality.unrooted, 1), Math.round(quality.unrooted * samples)];
  const python = options.callGraph === 'dwarf' ? pythonCallers(options.scope, keepsStream) : null;
  return python === null
    ? judgeCut(options, share, count)
    : warning(
        'python-callers',
        `${share} of the stacks lack their outer callers: ${python.why}.`,
        count,
        python.remedy,
      );
}

/** Returns why DWARF does not find the callers of Python's functions, however much of the stack is copied; null if it does. */
function pythonCallers(scope: PerfOptions['scope'], keepsStream: boolean): { why: string; remedy: string } | null {
  const support = perfSupport(scope);
  if (support === 'perf')
    return {
      why: '-X perf does not say how Python’s code is unwound',
      remedy: 'Start it with python3 -X perf_jit (3.13 or later), or use flamebench record python.',
    };
  if (support !== 'perf_jit' || keepsStream) return null;
  return {
    why: 'perf made its text before it could read how Python’s code is unwound',
    remedy: 'Record with --keep-perf-data, or use flamebench record python.',
  };
}

/** Explains why stacks are truncated, depending on the call graph mode. */
function judgeCut(
  { callGraph, stackBytes = DEFAULT_STACK_BYTES }: PerfOptions,
  share: string,
  count: number,
): Diagnostic {
  if (callGraph === 'dwarf') {
    const remedy =
      stackBytes < MAX_STACK_BYTES
        ? `Record with --call-graph dwarf --stack-bytes ${MAX_STACK_BYTES}.`
        : 'perf can’t copy more: build with -fno-omit-frame-pointer and use --call-graph fp.';
    const message = `${share} of the stacks are truncated: perf copied ${stackBytes.toLocaleString('en')} bytes of each, and the outer callers lie beyond.`;
    return warning('stack-copy-too-small', message, count, remedy);
  }
  if (callGraph === 'lbr') {
    const message = `${share} of the stacks are truncated: the processor records at most the last 32 branches.`;
    return warning('short-branch-stacks', message, count, 'Use --call-graph dwarf.');
  }
  return warning(
    'missing-frame-pointers',
    `${share} of the stacks are truncated: the program, or a library it runs in, is built without frame pointers.`,
    count,
    'Build it with -fno-omit-frame-pointer, or use --call-graph dwarf.',
  );
}

function judgeFiles({ keepsStream, countsLost }: RecordedFacts): Diagnostic[] {
  if (keepsStream) return [];
  const found: Diagnostic[] = [];
  if (!countsLost) {
    const unknown = 'The text output of this perf does not include lost samples, so 0 may be wrong.';
    found.push(
      warning('lost-unknown', unknown, 1, 'Record with --keep-perf-data, or install perf 5.9 or later there.'),
    );
  }
  const message =
    'perf’s raw stream was not kept: this capture has only the text that perf script printed on the host.';
  const remedy = 'To keep it (for instructions, or symbols that appear late), record with --keep-perf-data.';
  return [...found, info('perf-data-not-kept', message, 1, remedy)];
}

const isKernel = (module: string): boolean => module.startsWith('[kernel') || module.startsWith('[guest.kernel');

function warning(code: string, message: string, count: number, remedy: string | null): Diagnostic {
  return { code, severity: 'warning', message, count, first: null, remedy };
}

function info(code: string, message: string, count: number, remedy: string | null): Diagnostic {
  return { code, severity: 'info', message, count, first: null, remedy };
}
