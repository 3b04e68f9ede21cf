import { readFileSync } from 'node:fs';

/** Matches programs that start this one and wait for it, and may end without a signal to it. */
const WRAPPERS =
  /^(?:npm|npx|pnpm|yarn)(?:$|\s)|\/(?:npm|npx|pnpm|yarn)(?:-cli)?(?:\.c?js)?(?:\0|$)|\/flamebench\.mjs(?:\0|$)/;
/** Shells through which npm runs commands. */
const SHELLS = /^(?:sh|bash|dash|ash|busybox|zsh|ksh)$/;
const MAX_ANCESTORS = 8;
const LOOK_MS = 500;
/**
 * Gap in ms, by the wall clock, after which the machine or container counts as having been suspended; resuming wakes
 * all of its processes.
 */
const ASLEEP_MS = 5000;

interface Ancestor {
  readonly pid: number;
  /** Start time in clock ticks; distinguishes processes with the same PID. */
  readonly startTicks: string;
}

/**
 * Calls `action` when a wrapper that started this command (npx, npm, the starter under an older Node), or a process
 * between them, has ended: stopping it is meant to stop this command, even if no signal arrives. A shell that is not a
 * wrapper's may end, as in `nohup … &`. Also calls it at each INT to npx or npm, whose shell does not forward it until
 * this command has ended. Does not keep Node alive.
 */
export function onWrapperEnd(action: () => void): { off(): void } {
  const shell = watchShell();
  const timer = setInterval(() => {
    if (!watched.every(isAlive)) clearInterval(timer);
    else if (!shell.wasInterrupted()) return;
    action();
  }, LOOK_MS);
  timer.unref();
  if (watched.length === 0) clearInterval(timer);
  return {
    off() {
      clearInterval(timer);
      shell.off();
    },
  };
}

/**
 * Watches npm's shell, which sleeps until this command ends. `wasInterrupted` returns whether it was woken since the
 * last call, the only visible sign of an INT that npm forwarded to it. Wake-ups by a stop of this process, a debugger
 * or a suspended machine do not count.
 */
function watchShell(): { wasInterrupted(): boolean; off(): void } {
  const [first, second] = watched;
  const isBetween = first !== undefined && second !== undefined && !isWrapper(first.pid) && isWrapper(second.pid);
  // The first call only counts, since the shell may not be asleep yet.
  let known: number | null = null;
  let countedAt = 0;
  let wasStopped = false;
  const onContinue = (): void => void (wasStopped = true);
  if (isBetween) process.on('SIGCONT', onContinue);
  return {
    wasInterrupted() {
      if (!isBetween) return false;
      const wakes = readWakes(first.pid);
      const now = Date.now();
      const isWoken = wakes !== null && known !== null && wakes > known;
      const isAsleep = now - countedAt > ASLEEP_MS;
      const isOtherwise = wasStopped || isAsleep || isTraced('self') || isTraced(first.pid);
      known = wakes;
      countedAt = now;
      wasStopped = false;
      return isWoken && !isOtherwise;
    },
    off: () => void process.off('SIGCONT', onContinue),
  };
}

const readStatus = (pid: number | 'self', name: string): number | null => {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'latin1');
    const value = new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(text)?.[1];
    return value === undefined ? null : Number(value);
  } catch {
    return null;
  }
};

/** Returns how often a process has woken from waiting. */
const readWakes = (pid: number): number | null => readStatus(pid, 'voluntary_ctxt_switches');

const isTraced = (pid: number | 'self'): boolean => (readStatus(pid, 'TracerPid') ?? 0) !== 0;

/** Read at startup, so that a wrapper that ends while the recording is planned is noticed too. */
const watched = findWrappers();

/**
 * Returns the ancestors up to the outermost wrapper, if only shells of wrappers are between: a test runner or script
 * under npm manages its own children. Empty if /proc is unreadable.
 */
function findWrappers(): Ancestor[] {
  const ancestors: Ancestor[] = [];
  let wrappers = 0;
  let pid = process.ppid;
  for (let depth = 0; depth < MAX_ANCESTORS && pid > 1; depth++) {
    const stat = readStat(pid);
    if (stat === null) break;
    ancestors.push({ pid, startTicks: stat.startTicks });
    if (isWrapper(pid)) wrappers = ancestors.length;
    else if (!SHELLS.test(stat.name)) break;
    pid = stat.parent;
  }
  return ancestors.slice(0, wrappers);
}

function isWrapper(pid: number): boolean {
  try {
    return WRAPPERS.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1'));
  } catch {
    return false;
  }
}

function readStat(pid: number): { name: string; parent: number; startTicks: string; state: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    return { name, state: fields[0] ?? '', parent: Number(fields[1]), startTicks: fields[19] ?? '' };
  } catch {
    return null;
  }
}

/** Returns false for a zombie, too. */
function isAlive({ pid, startTicks }: Ancestor): boolean {
  const stat = readStat(pid);
  return stat !== null && stat.startTicks === startTicks && stat.state !== 'Z';
}
