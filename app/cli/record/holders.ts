import { readFileSync } from 'node:fs';

/** Programs that start this one, wait for it, and may end without a word to it. */
const WRAPPERS =
  /^(?:npm|npx|pnpm|yarn)(?:$|\s)|\/(?:npm|npx|pnpm|yarn)(?:-cli)?(?:\.c?js)?(?:\0|$)|\/flamebench\.mjs(?:\0|$)/;
const MAX_ANCESTORS = 8;
const LOOK_MS = 500;

interface Ancestor {
  readonly pid: number;
  /** Tells a PID's processes apart. */
  readonly startTicks: string;
}

/**
 * Calls back once a wrapper that started this command (npx, npm, the starter under an older Node) has ended, or a process between: whoever holds
 * its PID has ended the command, though no signal came. A shell may end: `nohup … &` goes on. Doesn't keep Node alive.
 */
export function onWrapperEnd(action: () => void): { off(): void } {
  const timer = setInterval(() => {
    if (watched.every(isAlive)) return;
    clearInterval(timer);
    action();
  }, LOOK_MS);
  timer.unref();
  if (watched.length === 0) clearInterval(timer);
  return { off: () => clearInterval(timer) };
}

/** As this command began: what ends while the recording is planned has ended it, too. */
const watched = findWrappers();

/** All ancestors up to the outermost wrapper; none where there is no wrapper, and where /proc can't be read. */
function findWrappers(): Ancestor[] {
  const ancestors: Ancestor[] = [];
  let wrappers = 0;
  let pid = process.ppid;
  for (let depth = 0; depth < MAX_ANCESTORS && pid > 1; depth++) {
    const stat = readStat(pid);
    if (stat === null) break;
    ancestors.push({ pid, startTicks: stat.startTicks });
    if (isWrapper(pid)) wrappers = ancestors.length;
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

function readStat(pid: number): { parent: number; startTicks: string; state: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', parent: Number(fields[1]), startTicks: fields[19] ?? '' };
  } catch {
    return null;
  }
}

/** One that waits to be reaped has ended. */
function isAlive({ pid, startTicks }: Ancestor): boolean {
  const stat = readStat(pid);
  return stat !== null && stat.startTicks === startTicks && stat.state !== 'Z';
}
