import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#collectors/collector.ts';
import { readListeningPorts } from '#collectors/target/listening-ports.ts';
import { listProcesses } from '#collectors/target/processes.ts';
import type { Target } from '#collectors/target/target.ts';
import type { ProcessRow } from '#core/contract/schemas.ts';

/** Duration and interval of the search for a restarted process, in milliseconds. */
const SEARCH_MS = 60_000;
const INTERVAL_MS = 2000;
/** Interval in which the ports are read, in milliseconds. */
const PORTS_MS = 60_000;

/** A process that replaces one that has ended. */
export interface Successor {
  readonly process: ProcessRow;
  /** How it was recognised: `the same executable`. */
  readonly by: string;
}

type Ports = ReadonlySet<number>;

/** Knows on which ports a process listens, and searches for the one that replaces it. */
export class SuccessorSearch {
  readonly #target: Target;
  readonly #watched: ProcessRow;
  readonly #clock: Clock;
  readonly #timer: NodeJS.Timeout;
  #ports: Ports = new Set();

  constructor(target: Target, watched: ProcessRow, clock: Clock) {
    this.#target = target;
    this.#watched = watched;
    this.#clock = clock;
    this.#timer = setInterval(() => void this.readPorts(), PORTS_MS).unref();
    void this.readPorts();
  }

  /** The process has ended. */
  end(): void {
    clearInterval(this.#timer);
  }

  /** Returns null after a minute, or once `isStopped`. */
  async find(isStopped: () => boolean): Promise<Successor | null> {
    const deadline = this.#clock.monotonic() + SEARCH_MS;
    while (this.#clock.monotonic() < deadline && !isStopped()) {
      const younger = youngerThan(await listProcesses(this.#target), this.#watched);
      const found =
        chooseSuccessor(younger, this.#watched) ?? (await chooseListener(this.#target, younger, this.#ports));
      if (found !== null) return found;
      await sleep(INTERVAL_MS, undefined, { ref: false });
    }
    return null;
  }

  /** Reads the ports again; keeps the former ones if the process has ended or may not be examined. */
  async readPorts(): Promise<void> {
    const { pid } = this.#watched;
    const ports = await readListeningPorts(this.#target, [pid]).catch(() => null);
    this.#ports = ports?.get(pid) ?? this.#ports;
  }
}

/** Oldest first. */
const youngerThan = (rows: readonly ProcessRow[], ended: ProcessRow): readonly ProcessRow[] =>
  rows
    .filter(({ pid, startedAt }) => startedAt > ended.startedAt && pid !== ended.pid)
    .sort((a, b) => a.startedAt - b.startedAt || a.pid - b.pid);

/**
 * Returns the younger process with the same executable, preferably with the same command line; without one, the oldest
 * of the same control group, whose new version may have another executable; without one, the main process of the same
 * container, or of one with its name. Null if there is none.
 */
export function chooseSuccessor(rows: readonly ProcessRow[], ended: ProcessRow): Successor | null {
  const younger = youngerThan(rows, ended);
  const isSame = ({ executable }: ProcessRow): boolean => executable !== null && executable === ended.executable;
  const exact = younger.find((row) => isSame(row) && row.command === ended.command) ?? younger.find(isSame);
  if (exact !== undefined) return { process: exact, by: 'the same executable' };
  const group = ownGroup(ended);
  const ofGroup = group === null ? undefined : younger.find((row) => row.cgroup === group);
  if (ofGroup !== undefined) return { process: ofGroup, by: `of ${ended.unit ?? `the control group ${group}`}` };
  const ofContainer = younger.find((row) => isMain(row) && isMain(ended) && sharesContainer(row, ended));
  const name = ofContainer?.containerName ?? ofContainer?.container;
  return ofContainer === undefined ? null : { process: ofContainer, by: `of the container ${name}` };
}

async function chooseListener(target: Target, younger: readonly ProcessRow[], ports: Ports): Promise<Successor | null> {
  if (ports.size === 0) return null;
  const listening = await readListeningPorts(
    target,
    younger.map(({ pid }) => pid),
  );
  for (const process of younger) {
    const port = [...(listening.get(process.pid) ?? [])].find((one) => ports.has(one));
    if (port !== undefined) return { process, by: `listening on port ${port}` };
  }
  return null;
}

/** Groups that hold unrelated processes: slices, login sessions, and what starts the system. */
const SHARED_GROUP = /(?:^\/|\.slice|\/session-[^/]*\.scope|\/init\.scope)$/;

/** Returns the control group of a process; null if it may hold others, as a container's and a login session's do. */
const ownGroup = ({ cgroup, container }: ProcessRow): string | null =>
  cgroup === null || container !== null || SHARED_GROUP.test(cgroup) ? null : cgroup;

const isMain = ({ container, innerPid }: ProcessRow): boolean => container !== null && innerPid === 1;

/** A recreated container has another id, and a pod may have several of one name. */
const sharesContainer = (a: ProcessRow, b: ProcessRow): boolean =>
  a.container === b.container || (a.containerName !== null && a.containerName === b.containerName && a.pod === b.pod);
