/** Parsers of files under /proc, see proc(5). */

export interface ProcStat {
  readonly pid: number;
  readonly name: string;
  /** R, S, D, Z, T… */
  readonly state: string;
  readonly parent: number;
  readonly isKernelThread: boolean;
  /** utime + stime of all threads, in clock ticks. */
  readonly cpuTicks: number;
  readonly threads: number;
  /** Clock ticks after boot, as text: compared, not computed with. */
  readonly startTicks: string;
  readonly rssPages: number;
}

/** PF_KTHREAD of include/linux/sched.h. */
const KERNEL_THREAD_FLAG = 0x0020_0000;

/** `/proc/<pid>/stat`; null where the text is none. The name may hold blanks and parentheses: it ends at the last `)`. */
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
  const pid = Number(text.slice(0, open));
  if (!Number.isInteger(pid) || field(22) === '') return null;
  return {
    pid,
    name: text.slice(open + 1, close),
    state: field(3),
    parent: Number(field(4)),
    isKernelThread: (Number(field(9)) & KERNEL_THREAD_FLAG) !== 0,
    cpuTicks: Number(field(14)) + Number(field(15)),
    threads: Number(field(20)),
    startTicks: field(22),
    rssPages: Number(field(24)),
  };
}

/** Fields of `/proc/<pid>/status`, `/etc/os-release`-like files: `Name:\tvalue` or `NAME="value"` per line. */
export function parseFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    const match = /^([^:=\s]+)\s*[:=]\s*(.*)$/.exec(line);
    if (match) fields.set(match[1]!, match[2]!.replace(/^"(.*)"$/, '$1'));
  }
  return fields;
}

/** `/proc/<pid>/cmdline`, or the text that a process put in its place (nginx, postgres): one argument then. */
export function parseCommandLine(bytes: Uint8Array): string[] {
  const text = new TextDecoder().decode(bytes).replace(/\0+$/, '');
  return text === '' ? [] : text.split('\0');
}

/** Boot time of `/proc/stat`, Unix epoch seconds; null where absent. */
export function parseBootTime(text: string): number | null {
  const match = /^btime (\d+)$/m.exec(text);
  return match ? Number(match[1]) : null;
}

/** The container that `/proc/<pid>/cgroup` names: `docker:0123456789ab`; null outside one. */
export function parseContainer(text: string): string | null {
  for (const line of text.split('\n')) {
    const path = line.slice(line.indexOf(':', line.indexOf(':') + 1) + 1);
    for (const [runtime, pattern] of CONTAINER_PATHS) {
      const match = pattern.exec(path);
      if (match) return `${runtime}:${shortenId(match[1]!)}`;
    }
  }
  return null;
}

/** As `docker ps` shows ids; names are kept. */
const shortenId = (id: string): string => (/^[0-9a-f]{64}$/.test(id) ? id.slice(0, 12) : id.slice(0, 40));

const CONTAINER_PATHS: readonly (readonly [string, RegExp])[] = [
  ['docker', /(?:^|\/)docker[-/]([0-9a-f]{12,64})/],
  ['podman', /libpod-(?:conmon-)?([0-9a-f]{12,64})/],
  ['containerd', /cri-containerd-([0-9a-f]{12,64})/],
  ['cri-o', /crio-(?:conmon-)?([0-9a-f]{12,64})/],
  ['lxc', /\/lxc(?:\.payload)?[./]([^/]+)/],
  ['nspawn', /\/machine\.slice\/(?:systemd-nspawn@|machine-)([^/]+?)\.(?:service|scope)/],
  ['kubernetes', /\/kubepods[^ ]*\/([0-9a-f]{12,64})/],
];
