import { spawn, type ChildProcess } from 'node:child_process';

/** Argv that runs `argv` so that it leaves the CPUs to other tests' processes if they need them. */
const niced = (...argv: readonly string[]): readonly [string, ...string[]] => ['nice', '-n', '5', ...argv];

/** Argv of a process `sh` that keeps a CPU busy. */
export const BUSY_LOOP = niced('sh', '-c', 'while :; do :; done');

/** Returns the argv of a process `sh` that sleeps and counts to `rounds` in turn. */
export const busyAtTimes = (sleepSeconds: number, rounds: number): readonly [string, ...string[]] =>
  niced('sh', '-c', `while sleep ${sleepSeconds}; do i=0; while [ $i -lt ${rounds} ]; do i=$((i+1)); done; done`);

/** Starts {@link BUSY_LOOP} on this machine. */
export function spawnBusyLoop(): ChildProcess {
  const [program, ...args] = BUSY_LOOP;
  return spawn(program, args, { stdio: 'ignore' });
}
