import type { PerfOptions } from '#core/contract/schemas.ts';
import type { Diagnostic } from '#core/model/diagnostics.ts';
import { jitAdvice, JIT_MAP_MODULE, mayCompile } from './jit-maps.ts';
import type { ProcessFacts } from './process-facts.ts';
import type { ScriptStats } from './script-stats.ts';
import type { PerfAttr } from './stream.ts';

/** What a recording is judged by. */
export interface RecordedFacts {
  readonly options: PerfOptions;
  readonly event: string | null;
  readonly attrs: readonly PerfAttr[];
  readonly samples: number;
  readonly lost: number;
  readonly stats: ScriptStats;
  /** perf's own stream lies beside its text. */
  readonly keepsStream: boolean;
  /** `lost` is known. */
  readonly countsLost: boolean;
  /** Null for launched commands and the whole system. */
  readonly process: ProcessFacts | null;
}

/** Shares above which a reader would draw wrong conclusions; below, everything has some. */
const UNRESOLVED_SHARE = 0.05;
const CUT_SHARE = 0.5;
const DEEPEST_SHARE = 0.01;
/** Fewer samples say nothing about their kind. */
const MIN_SAMPLES = 20;

const HARDWARE = 0;
const SOFTWARE = 1;

/** What the user should know before trusting the capture, each with what to do about it. Pure. */
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

function judgeAmount({ samples, lost, options }: RecordedFacts): Diagnostic[] {
  const found: Diagnostic[] = [];
  if (samples === 0) {
    found.push(
      warning(
        'no-samples',
        'No samples: the target used no CPU while it was recorded.',
        1,
        'Record while it works, for longer, or at a higher rate.',
      ),
    );
  }
  if (lost > 0) {
    const share = formatPercent(lost / (samples + lost));
    found.push(
      warning(
        'lost-samples',
        `perf lost ${share} of the samples: its buffer was full.`,
        lost,
        `Lower the rate (${options.rateHz} Hz)${options.callGraph === 'dwarf' ? ', or use --call-graph fp: dwarf copies 8 KiB of stack a sample' : ''}; a further run of a series gets a larger buffer.`,
      ),
    );
  }
  return found;
}

/** perf takes cpu-clock in silence where there are no hardware counters for cycles. */
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
        'Compare this capture only with others of cpu-clock.',
      ),
    );
  }
  if (attr.excludesKernel && (attr.type === HARDWARE || attr.type === SOFTWARE) && !event?.includes(':u')) {
    found.push(
      info(
        'user-only',
        'Only user code was recorded: the kernel refuses its own part to this user.',
        1,
        'Run: sudo sysctl kernel.perf_event_paranoid=1, or record as root.',
      ),
    );
  }
  return found;
}

function judgeNames({ stats }: RecordedFacts): Diagnostic[] {
  const found: Diagnostic[] = [];
  const kernel = [...stats.unresolvedByModule].filter(([module]) => isKernel(module)).reduce(sumCounts, 0);
  const jit = [...stats.unresolvedByModule].filter(([module]) => JIT_MAP_MODULE.test(module)).reduce(sumCounts, 0);
  const other = stats.unresolved - kernel - jit;
  if (kernel > 0) {
    found.push(
      warning(
        'kernel-symbols-hidden',
        'The kernel’s functions have no names.',
        kernel,
        'Run: sudo sysctl kernel.kptr_restrict=0, or record as root.',
      ),
    );
  }
  if (other > 0) {
    const modules = [...stats.unresolvedByModule]
      .filter(([module]) => !isKernel(module) && !JIT_MAP_MODULE.test(module))
      .sort((a, b) => b[1] - a[1])
      .slice(0, 3)
      .map(([module]) => module.replace(/^.*\//, '').slice(0, 60));
    const message = `${formatPercent(other / stats.frames)} of the frames have no name, most in ${modules.join(', ')}.`;
    const remedy = 'Install debug symbols (package …-dbgsym), or build without stripping.';
    const isMuch = other / stats.frames > UNRESOLVED_SHARE;
    found.push((isMuch ? warning : info)('unresolved-frames', message, other, isMuch ? remedy : null));
  }
  return found;
}

function judgeProcess({ process, stats }: RecordedFacts): Diagnostic[] {
  const jit = [...stats.unresolvedByModule].filter(([module]) => JIT_MAP_MODULE.test(module)).reduce(sumCounts, 0);
  if (process === null) {
    const message = 'Code compiled at run time has no names.';
    return jit === 0 ? [] : [warning('jit-map-missing', message, jit, jitAdvice(null))];
  }
  const found: Diagnostic[] = [];
  const { pid, name, runtime, jitMap, ownRoot, container, innerPid } = process;
  const advice = jitAdvice(runtime);
  if (jitMap !== null) {
    found.push(
      info('jit-map', `Names of code compiled at run time come from perf-${innerPid}.map of process ${pid}.`, 1, null),
    );
    if (jit > 0)
      found.push(
        warning('jit-map-incomplete', `Code compiled at run time has no name in perf-${innerPid}.map.`, jit, advice),
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
  if (ownRoot === true || innerPid !== pid) {
    const where = container ?? 'a container';
    found.push(
      info(
        'container-process',
        `Process ${pid} runs in ${where}, there as ${innerPid}: its binaries and its JIT map are inside.`,
        1,
        'Where names are missing, record as root on the host while the container runs, or install perf inside.',
      ),
    );
  }
  return found;
}

function judgeStacks({ stats, options }: RecordedFacts): Diagnostic[] {
  const found: Diagnostic[] = [];
  if (
    options.callGraph === 'fp' &&
    stats.userSamples >= MIN_SAMPLES &&
    stats.cutSamples / stats.userSamples > CUT_SHARE
  ) {
    found.push(
      warning(
        'missing-frame-pointers',
        `${formatPercent(stats.cutSamples / stats.userSamples)} of the stacks end nowhere: the program is probably built without frame pointers.`,
        stats.cutSamples,
        'Build it with -fno-omit-frame-pointer, or use --call-graph dwarf.',
      ),
    );
  }
  if (stats.samples >= MIN_SAMPLES && stats.deepestSamples / stats.samples > DEEPEST_SHARE) {
    found.push(
      warning(
        'truncated-stacks',
        'Stacks are cut at 127 frames: their callers are missing.',
        stats.deepestSamples,
        'Run: sudo sysctl kernel.perf_event_max_stack=512, before recording.',
      ),
    );
  }
  return found;
}

function judgeFiles({ keepsStream, countsLost }: RecordedFacts): Diagnostic[] {
  if (keepsStream) return [];
  const found: Diagnostic[] = [];
  if (!countsLost) {
    const unknown = 'The text of this perf does not say how many samples were lost: 0 may be wrong.';
    found.push(
      warning('lost-unknown', unknown, 1, 'Record with --keep-perf-data, or install perf 5.9 or later there.'),
    );
  }
  const message = 'perf’s own stream was not kept: this capture holds what perf script printed on the host.';
  const remedy = 'To have it (for instructions, or names that come late), record with --keep-perf-data.';
  return [...found, info('perf-data-not-kept', message, 1, remedy)];
}

const isKernel = (module: string): boolean => module.startsWith('[kernel') || module.startsWith('[guest.kernel');
const sumCounts = (sum: number, [, count]: [string, number]): number => sum + count;
const formatPercent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;

function warning(code: string, message: string, count: number, remedy: string | null): Diagnostic {
  return { code, severity: 'warning', message, count, first: null, remedy };
}

function info(code: string, message: string, count: number, remedy: string | null): Diagnostic {
  return { code, severity: 'info', message, count, first: null, remedy };
}
