import { isBeyond } from '../model/quality-grade.ts';
import type { CaptureDocument, PerfOptions, Scope } from './schemas.ts';
import { MAX_STACK_BYTES } from './limits.ts';
import { isPreparedPython, PYTHON_STACKS } from './python-launch.ts';
import { LOCAL_TARGET } from './target-id.ts';

/** How to record a capture again with better quality. */
interface CorrectedRecording {
  readonly options: PerfOptions;
  /** `Record again with DWARF`; verb first. */
  readonly label: string;
}

/**
 * Returns null if no option of `perf record` would help, and for captures that were not recorded here by this version.
 */
export function correctedRecording({
  options,
  quality,
  durationMs,
  diagnostics,
}: Pick<CaptureDocument, 'options' | 'quality' | 'durationMs' | 'diagnostics'>): CorrectedRecording | null {
  if (options?.collector !== 'perf' || quality === undefined) return null;
  const isCut = isBeyond(quality, 'unrooted');
  const isLossy = isBeyond(quality, 'lost');
  if (diagnostics.some(({ code }) => code === CPU_TIME_MISSED)) {
    return options.scope.kind === 'pid' ? wholeSystem(options, durationMs) : null;
  }
  const found = isCut ? withWholeStacks(options) : isLossy && options.rateHz > 1 ? withHalfRate(options) : null;
  if (found === null) return null;
  return { ...found, options: { ...found.options, seconds: secondsOf(options, durationMs) } };
}

/** Diagnostic of captures whose samples are far fewer than the CPU time of the recorded processes should have given. */
export const CPU_TIME_MISSED = 'cpu-time-missed';

/** Clocks of the whole system run on while threads come and go. */
const wholeSystem = (options: PerfOptions, durationMs: number | null): CorrectedRecording => ({
  options: { ...options, scope: { kind: 'system' }, seconds: secondsOf(options, durationMs) },
  label: 'Record the whole system',
});

const secondsOf = ({ seconds, scope }: PerfOptions, durationMs: number | null): number | null =>
  seconds ?? (scope.kind === 'command' || durationMs === null ? null : wholeSeconds(durationMs));

/** Returns null if perf can't copy larger stacks, or if the callers are missing for another reason. */
export function withWholeStacks(options: PerfOptions): CorrectedRecording | null {
  const { callGraph, stackBytes = 0, scope } = options;
  const isPython = isPreparedPython(scope) === true;
  if (callGraph !== 'dwarf') {
    const dwarf = isPython ? PYTHON_STACKS : { callGraph: 'dwarf' as const };
    return { options: { ...options, ...dwarf }, label: 'Record again with DWARF' };
  }
  if (stackBytes >= MAX_STACK_BYTES || isPython) return null;
  return { options: { ...options, stackBytes: MAX_STACK_BYTES }, label: 'Record again with larger stacks' };
}

const withHalfRate = (options: PerfOptions): CorrectedRecording => ({
  options: { ...options, rateHz: Math.floor(options.rateHz / 2) },
  label: 'Record again at half the rate',
});

const wholeSeconds = (ms: number): number => Math.min(86_400, Math.max(1, Math.ceil(ms / 1000)));

/** Returns the argv of `flamebench record` for these options. */
export function recordArgv(options: PerfOptions, target: string): string[] {
  const { rateHz, event, callGraph, stackBytes, seconds, keepPerfData, asRoot, scope } = options;
  return [
    'flamebench',
    'record',
    'perf',
    ...(target === LOCAL_TARGET ? [] : ['--target', target]),
    '--rate',
    String(rateHz),
    ...(event === null ? [] : ['--event', event]),
    '--call-graph',
    callGraph,
    ...(stackBytes === undefined ? [] : ['--stack-bytes', String(stackBytes)]),
    ...(seconds === null ? [] : ['--seconds', String(seconds)]),
    ...(keepPerfData === true ? ['--keep-perf-data'] : []),
    ...(asRoot === true ? ['--sudo'] : []),
    ...scopeArgv(scope),
  ];
}

function scopeArgv(scope: Scope): string[] {
  switch (scope.kind) {
    case 'pid':
      return ['--pid', String(scope.pid)];
    case 'system':
      return ['--system'];
    case 'cgroup':
      return ['--cgroup', scope.path];
    case 'command':
      return [
        ...(scope.cwd === undefined ? [] : ['--cwd', scope.cwd]),
        ...(scope.env ?? []).flatMap((word) => ['--env', word]),
        '--',
        ...scope.argv,
      ];
  }
}
