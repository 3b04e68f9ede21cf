import { readFileSync } from 'node:fs';

/** Programs that start this one, wait for it, and may end without a word to it. */
const WRAPPERS =
  /^(?:npm|npx|pnpm|yarn)(?:$|\s)|\/(?:npm|npx|pnpm|yarn)(?:-cli)?(?:\.c?js)?(?:\0|$)|\/flamebench\.mjs(?:\0|$)/;
/** By which npm runs commands. */
const SHELLS = /^(?:sh|bash|dash|ash|busybox|zsh|ksh)$/;
const MAX_ANCESTORS = 8;
const LOOK_MS = 500;
/** A machine or a container that was stopped for as long wakes all of its processes. Wall clock, which goes on meanwhile. */
const ASLEEP_MS = 5000;

interface Ancestor {
  readonly pid: number;
  /** Tells a PID's processes apart. */
  readonly startTicks: string;
}

/**
 * Calls back once a wrapper that started this command (npx, npm, the starter under an older Node) has ended, or a process between: whoever holds
 * its PID has ended the command, though no signal came. A shell may end: `nohup … &` goes on. Also at each INT to npx or npm, whose shell keeps it
 * to itself until this command has ended. Doesn't keep Node alive.
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
 * Tells whether npm's shell, which sleeps until this command ends, was woken since the last call: by an INT, which npm passes on to it, and of
 * which it shows nothing else. A stop of this process wakes it too, as do a debugger and the sleep of the machine; these don't count.
 */
function watchShell(): { wasInterrupted(): boolean; off(): void } {
  const [first, second] = watched;
  const isBetween = first !== undefined && second !== undefined && !isWrapper(first.pid) && isWrapper(second.pid);
  // It may not have gone to sleep yet: the first call only counts.
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

/** How often a process has gone on after it waited. */
const readWakes = (pid: number): number | null => readStatus(pid, 'voluntary_ctxt_switches');

const isTraced = (pid: number | 'self'): boolean => (readStatus(pid, 'TracerPid') ?? 0) !== 0;

/** As this command began: what ends while the recording is planned has ended it, too. */
const watched = findWrappers();

/**
 * The ancestors up to the outermost wrapper, where there is nothing between but the shells of wrappers: what a test runner or a script starts under
 * npm is theirs. None where /proc can't be read.
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

/** One that waits to be reaped has ended. */
function isAlive({ pid, startTicks }: Ancestor): boolean {
  const stat = readStat(pid);
  return stat !== null && stat.startTicks === startTicks && stat.state !== 'Z';
}
