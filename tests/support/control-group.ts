import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Need } from './needing.ts';
import { killProcess } from './process-list.ts';

interface Hierarchies {
  /** Mount point of the hierarchy that perf uses. */
  readonly perf: string;
  /** Mount point of the hierarchy that limits CPU time in cgroup 1; null in cgroup 2. */
  readonly cpu: string | null;
}

function hierarchies(): Hierarchies | null {
  const mounts = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '));
  const of = (controller: string): string | null =>
    mounts.find(([, , type, options]) => type === 'cgroup' && options?.split(',').includes(controller) === true)?.[1] ??
    null;
  const perf = of('perf_event') ?? mounts.find(([, , type]) => type === 'cgroup2')?.[1] ?? null;
  return perf === null ? null : { perf, cpu: of('cpu') };
}

/** The right to create control groups. */
export const controlGroups: Need = {
  name: 'the right to make control groups (root has it)',
  present() {
    const probe = join(hierarchies()?.perf ?? '/nowhere', `probe-${process.pid}`);
    try {
      mkdirSync(probe);
      rmdirSync(probe);
      return true;
    } catch {
      return false;
    }
  },
};

/** A control group of a test; `remove` kills the processes in it. */
export interface ControlGroup {
  /** Path in the hierarchy. */
  readonly path: string;
  /** Moves a process into it, or into the group below it. */
  enter(pid: number, below?: 'worker'): void;
  /** Limits the group's processes to a tenth of a CPU; returns false without a cgroup 1 `cpu` hierarchy. */
  limit(): boolean;
  remove(): void;
}

/** Makes a group that looks like a docker container. `id`: as lists show it, 12 characters. */
export function makeContainerGroup(): ControlGroup & { readonly id: string } {
  const id = `fb${randomBytes(31).toString('hex')}`;
  return { id: id.slice(0, 12), ...makeControlGroup(`docker-${id}.scope`) };
}

/** Makes a group by its name; that of a systemd unit ends in `.service`. */
export function makeControlGroup(name: string): ControlGroup {
  const { perf, cpu } = hierarchies()!;
  const folders = [join(perf, name), join(perf, name, 'worker'), ...(cpu === null ? [] : [join(cpu, name)])];
  const pids = new Set<number>();
  for (const folder of folders) mkdirSync(folder);
  const enter = (folder: string, pid: number): void => writeFileSync(join(folder, 'cgroup.procs'), String(pid));
  return {
    path: `/${name}`,
    enter(pid, below) {
      pids.add(pid);
      enter(folders[below === undefined ? 0 : 1]!, pid);
    },
    limit() {
      const [, , limited] = folders;
      if (limited === undefined) return false;
      for (const pid of pids) enter(limited, pid);
      writeFileSync(join(limited, 'cpu.cfs_quota_us'), '10000');
      return true;
    },
    remove() {
      // The kernel's list: the PID of a member that has ended may be another process's.
      const members = folders.flatMap(
        (folder) => readFileSync(join(folder, 'cgroup.procs'), 'utf8').match(/\d+/g) ?? [],
      );
      for (const pid of members) killProcess(Number(pid));
      for (const folder of folders.toReversed()) removeFolder(folder);
    },
  };
}

/** Removes a group once its last process has ended. */
function removeFolder(folder: string): void {
  const end = Date.now() + 30_000;
  for (;;) {
    try {
      rmdirSync(folder);
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return;
      if (code !== 'EBUSY' || Date.now() > end) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  }
}
