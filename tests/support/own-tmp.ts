import { spawn, spawnSync } from 'node:child_process';
import type { Need } from './needing.ts';
import { childrenOf } from './process-list.ts';

/** The right to make namespaces, and the shells that are `/bin/sh` somewhere. */
export const ownNamespaces: Need = {
  name: 'the right to make namespaces (root has it)',
  present: () => spawnSync('unshare', ['--mount', '--pid', '--fork', '--mount-proc', 'true']).status === 0,
};

/** As argvs, by name. */
export const SHELLS = [
  { name: 'dash', shell: ['dash'] },
  { name: 'bash', shell: ['bash', '--posix'] },
  { name: 'busybox', shell: ['busybox', 'sh'] },
] as const;

/** An empty /tmp and a PID namespace that only the processes started by `enter` have. */
export interface OwnTmp {
  /** Its path for other processes. */
  readonly path: string;
  /** Words before an argv that is to run with it, as that user. */
  enter(uid: number): string[];
  dispose(): void;
}

export async function makeOwnTmp(): Promise<OwnTmp> {
  const setup = 'mount -t tmpfs -o mode=1777 tmp /tmp && echo ready && exec sleep 1000';
  const apart = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '--propagation', 'private'];
  const holder = spawn('unshare', [...apart, 'sh', '-c', setup]);
  await new Promise((resolve) => holder.stdout.once('data', resolve));
  const pid = `${childrenOf(holder.pid ?? 0)[0]}`;
  return {
    path: `/proc/${pid}/root/tmp`,
    enter: (uid) => ['nsenter', '-t', pid, '--mount', '--pid', '--setuid', `${uid}`, '--setgid', `${uid}`, '--'],
    dispose: () => void holder.kill('SIGKILL'),
  };
}
