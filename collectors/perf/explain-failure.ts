import { cleanMessage } from '../message-log.ts';
import { explain, type Explanation, type RecordingFailure } from '../recording-failure.ts';
import { describeExit, type ProcessExit } from '../target/target.ts';

/**
 * perf's messages (tools/perf/util/evsel.c, builtin-record.c, util/parse-events.c, util/evlist.c); the first match
 * wins.
 */
const EXPLANATIONS: readonly Explanation[] = [
  {
    pattern:
      /perf_event_paranoid|Access to performance monitoring|may not have permission|[Yy]ou may not have|perf_event_open\(.*Operation not permitted/,
    code: 'perf-refused',
    message: 'the kernel does not let this user run perf (kernel.perf_event_paranoid)',
    remedy: 'run: sudo sysctl kernel.perf_event_paranoid=1 (-1 for the whole system), or record as root',
  },
  {
    pattern: /No such process|Ignored open failure for pid/,
    code: 'no-such-process',
    message: 'there is no such process',
    remedy: 'choose a running one: it may have ended or been restarted',
  },
  {
    pattern: /workload: No such file|failed to exec|No such file or directory/,
    code: 'command-not-found',
    message: 'the command to launch was not found',
    remedy: 'give its path, or check its spelling',
  },
  {
    pattern: /workload: Permission denied/,
    code: 'command-not-executable',
    message: 'the command to launch is not executable',
    remedy: 'check its permissions',
  },
  {
    pattern: /branch stack sampling/,
    code: 'no-lbr',
    message: 'this CPU or event has no last-branch records',
    remedy: 'use --call-graph fp or dwarf',
  },
  {
    pattern: /event syntax error|Cannot find PMU|unknown event|invalid or unsupported event/,
    code: 'unknown-event',
    message: 'perf does not know this event',
    remedy: 'leave the event out to use the best that works here, or see: perf list',
  },
  {
    pattern: /not supported|No such device|PMU Hardware/,
    code: 'unsupported-event',
    message: 'the event does not work on this machine (virtual machines often have no hardware counters)',
    remedy: 'use the event cpu-clock',
  },
  {
    pattern: /Too many (?:open files|events)/,
    code: 'too-many-files',
    message: 'the process has more threads than perf may open files for',
    remedy: 'raise the limit (ulimit -n), or record the whole system',
  },
  {
    pattern:
      /mmap.*(?:Operation not permitted|Cannot allocate memory)|perf_event_mlock_kb|Permission error mapping pages/,
    code: 'ring-too-large',
    message: 'the kernel gives this user no memory for perf’s ring buffer',
    remedy: 'run: sudo sysctl kernel.perf_event_mlock_kb=4096',
  },
  {
    pattern: /perf not found for kernel|linux-tools-/,
    code: 'perf-missing',
    message: 'perf is installed for a different kernel than the running one',
    remedy: 'install the package for this kernel: apt install linux-tools-$(uname -r)',
  },
  {
    pattern: /[Mm]aximum frequency|max(?:imum)? (?:sample )?rate|frequency rate .* exceeds/,
    code: 'rate-too-high',
    message: 'the rate is above what the kernel allows (kernel.perf_event_max_sample_rate)',
    remedy: 'lower the rate',
  },
];

/** Explains perf's output when it ended without recording. `version` is perf's; null if unknown. */
export function explainPerfFailure(stderr: string, exit: ProcessExit, version: string | null = null): RecordingFailure {
  const known = explainOption(stderr, version) ?? explain(stderr, EXPLANATIONS);
  if (known !== null) return known;
  const said = firstMessage(stderr);
  const ended = describeExit(exit);
  return {
    code: 'perf-failed',
    message: said === null ? `perf ended without recording (${ended})` : `perf: ${said} (${ended})`,
    remedy: null,
  };
}

/** Explains an option that perf does not know (tools/lib/subcmd/parse-options.c); null if it knows all. */
function explainOption(stderr: string, version: string | null): RecordingFailure | null {
  const option = /unknown option `([\w-]+)/.exec(stderr)?.[1];
  if (option === undefined) return null;
  return {
    code: 'perf-too-old',
    message: `perf${version === null ? '' : ` ${version}`} has no option --${option}`,
    remedy: 'install the perf of Linux 5.9 or later, or check which perf is first on the PATH',
  };
}

/** Returns the first informative line, without control characters. */
function firstMessage(stderr: string): string | null {
  for (const line of stderr.split('\n')) {
    const text = cleanMessage(line).replace(/^(?:Error|ERROR):?\s*/, '');
    if (text !== '' && !text.startsWith('[ perf record:')) return text.slice(0, 300);
  }
  return null;
}
