import { parsePid } from './target-words.ts';

/** Parsers of files under /proc, see proc(5). */

export interface ProcStat {
  readonly pid: number;
  readonly name: string;
  /** R, S, D, Z, T… */
  readonly state: string;
  readonly parent: number;
  /** The process group. */
  readonly group: number;
  readonly isKernelThread: boolean;
  /** It has begun to exit. */
  readonly isExiting: boolean;
  /** utime + stime of all threads, in clock ticks. */
  readonly cpuTicks: number;
  /** utime alone. */
  readonly userTicks: number;
  /** cutime + cstime, and cutime: the same of its descendants that have ended and were waited for. */
  readonly childTicks: number;
  readonly childUserTicks: number;
  readonly threads: number;
  /** Clock ticks after boot, as text because they are only compared. */
  readonly startTicks: string;
  readonly rssPages: number;
}

/** PF_EXITING of include/linux/sched.h. */
const EXITING_FLAG = 0x4;
/** PF_KTHREAD of include/linux/sched.h. */
const KERNEL_THREAD_FLAG = 0x0020_0000;

/**
 * Parses `/proc/<pid>/stat`; null if the text is not valid. The name may contain spaces and parentheses: it ends at the
 * last `)`.
 */
export function parseProcStat(text: string): ProcStat | null {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  if (open < 0 || close < open) return null;
  // fields[0] is the state, field 3 of proc(5).
  const fields = text
    .slice(close + 2)
    .trim()
    .split(' ');
  const field = (number: number): string => fields[number - 3] ?? '';
  const pid = parsePid(text.slice(0, open).trim());
  if (pid === null || !/^\d{1,20}$/.test(field(22))) return null;
  return {
    pid,
    name: text.slice(open + 1, close),
    state: field(3),
    parent: Number(field(4)),
    group: Number(field(5)),
    isKernelThread: (Number(field(9)) & KERNEL_THREAD_FLAG) !== 0,
    isExiting: (Number(field(9)) & EXITING_FLAG) !== 0,
    cpuTicks: Number(field(14)) + Number(field(15)),
    userTicks: Number(field(14)),
    childTicks: Number(field(16)) + Number(field(17)),
    childUserTicks: Number(field(16)),
    threads: Number(field(20)),
    startTicks: field(22),
    rssPages: Number(field(24)),
  };
}

/**
 * Parses the fields of `/proc/<pid>/status` and of files like `/etc/os-release`: `Name:\tvalue` or `NAME="value"` per
 * line.
 */
export function parseFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    const match = /^([^:=\s]+)\s*[:=]\s*(.*)$/.exec(line);
    if (match) fields.set(match[1]!, match[2]!.replace(/^"(.*)"$/, '$1'));
  }
  return fields;
}

/** Returns the last PID of `NSpid: 4711 17` in /proc/PID/status, outermost namespace first; null if it has none. */
export function innerPid(status: string): number | null {
  return parsePid(parseFields(status).get('NSpid')?.split(/\s+/).at(-1));
}

/**
 * Parses `/proc/<pid>/cmdline`, or the title that a process wrote in its place (nginx, postgres), which is a single
 * argument.
 */
export function parseCommandLine(bytes: Uint8Array): string[] {
  const text = new TextDecoder().decode(bytes).replace(/\0+$/, '');
  return text === '' ? [] : text.split('\0');
}

/** Returns the boot time in `/proc/stat`, Unix epoch seconds; null if absent. */
export function parseBootTime(text: string): number | null {
  const match = /^btime (\d+)$/m.exec(text);
  return match ? Number(match[1]) : null;
}
