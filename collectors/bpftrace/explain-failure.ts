import { cleanMessage } from '../message-log.ts';
import { explain, type Explanation, type RecordingFailure } from '../recording-failure.ts';
import { describeExit, type ProcessExit } from '../target/target.ts';

/**
 * bpftrace prints this as root of a container that may not raise its limits. The limit has no effect since Linux 5.11.
 */
const NOISE = /^ERROR: Unknown error -1: couldn't set RLIMIT_MEMLOCK/;

export const isNoise = (line: string): boolean => line.trim() === '' || NOISE.test(line);

/**
 * Messages of bpftrace (0.17 to 0.23: src/main.cpp, src/attached_probe.cpp, src/ast/passes). The first match applies.
 */
const EXPLANATIONS: readonly Explanation[] = [
  {
    pattern: /only supports running as the root user/,
    code: 'not-root',
    message: 'bpftrace runs only as root',
    remedy: 'record as root; over ssh, with --sudo',
  },
  {
    pattern: /No such process/,
    code: 'no-such-process',
    message: 'there is no such process',
    remedy: 'choose a running one: it may have ended or been restarted',
  },
  {
    pattern: /tracepoint not found: (\S+)/,
    code: 'no-tracepoint',
    message: 'this kernel does not have the tracepoint',
    remedy: 'run: sudo mount -t tracefs nodev /sys/kernel/tracing; or choose another recipe',
  },
  {
    pattern: /No probes to attach|[Cc]ould not resolve symbol|No matches for uprobe/,
    code: 'no-such-function',
    message: 'the executable has no symbol of this name',
    remedy: 'list its functions: nm -C EXECUTABLE; a stripped binary needs its symbol table',
  },
  {
    pattern: /[Ll]ockdown|[Kk]ernel is locked down/,
    code: 'lockdown',
    message: 'the kernel is locked down: it does not let bpftrace read its memory',
    remedy: 'turn Secure Boot off, or record with perf',
  },
  {
    pattern: /Operation not permitted|EPERM/,
    code: 'refused',
    message: 'the kernel does not allow BPF programs here',
    remedy: 'in a container, give it CAP_BPF, CAP_PERFMON and CAP_SYS_ADMIN, or record on its host',
  },
  {
    pattern: /Unknown (?:function|identifier|map|struct)|syntax error|unexpected |ERROR: .*(?:stdin|:\d+):\d+/,
    code: 'script-error',
    message: 'bpftrace does not understand the script',
    remedy: 'correct it; bpftrace -d -e SCRIPT shows how it is read',
  },
];

/** Explains why bpftrace ended by itself, and adds its own error line. */
export function explainBpftraceFailure(stderr: string, exit: ProcessExit): RecordingFailure {
  const lines = stderr.split('\n').filter((line) => !isNoise(line));
  const known = explain(lines.join('\n'), EXPLANATIONS);
  const said = lines.find((line) => /\bERROR: /.test(line)) ?? lines.at(-1) ?? null;
  const detail = said === null ? '' : `: ${clean(said)}`;
  if (known !== null) return { ...known, message: known.message + detail };
  return { code: 'bpftrace-failed', message: `bpftrace failed (${describeExit(exit)})${detail}`, remedy: null };
}

const clean = (line: string): string => cleanMessage(line.replace(/^.*?\bERROR: (?:: )?/, '')).slice(0, 300);
