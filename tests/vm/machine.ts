import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseTargetId } from '#core/contract/target-id.ts';
import { createSshTarget, type SshTarget } from '#collectors/target/ssh/ssh-target.ts';

/** A whole machine is emulated, so everything takes long, and how long depends on what else this machine does. */
export const LONG = 1_200_000;
export const suite = process.env['FB_VM_SUITE'] ?? 'bookworm';
const cache =
  process.env['FB_VM_DIR'] ??
  `${process.env['XDG_CACHE_HOME'] ?? `${process.env['HOME']}/.cache`}/flamebench/vm-${suite}`;
export const sshConfig = `${cache}/ssh_config`;
/** The programs leave some of the machine's CPU to what records them. */
export const YIELDING = 'nice -n 5';

const execute = promisify(execFile);
/**
 * Runs a script of this folder. It must not block: the connections to the machine end what they started if this process
 * falls silent.
 */
export async function run(script: string, ...args: readonly string[]): Promise<void> {
  await execute('bash', [fileURLToPath(new URL(`./${script}`, import.meta.url)), ...args], {
    env: { ...process.env, FB_VM_DIR: cache },
    maxBuffer: 1 << 26,
  });
}

/**
 * `fbvm-build` is the image's tree on this machine, which compiles without emulation; `fbvm-stock` is the same with
 * SystemTap as it is packaged. See vm.bash.
 */
type Host = 'fbvm' | 'fbvm-user' | 'fbvm-build' | 'fbvm-stock';

/** Commands of the tests share a connection, because setting one up takes a second of the emulated CPU. */
const SHARED = ['-o', `ControlPath=${cache}/run/%n.ssh`];

/** Runs a shell command without Flamebench, which keeps a shell beside each of its own, and returns its output. */
export async function shell(command: string, host: Host = 'fbvm'): Promise<string> {
  const { stdout } = await execute('ssh', ['-F', sshConfig, ...SHARED, host, command], { timeout: LONG });
  return stdout;
}

const started: number[] = [];
/** Starts a program in the machine and returns its PID; {@link endPrograms} ends it. */
export async function startProgram(command: string, redirected = '</dev/null >/dev/null 2>&1'): Promise<number> {
  const pid = Number(await shell(`${YIELDING} setsid ${command} ${redirected} & echo $!`));
  started.push(pid);
  return pid;
}

const stopped: number[] = [];
/**
 * Starts a program that takes a whole CPU and returns its PID. Once it has computed, it is stopped until
 * {@link continuePrograms}, so that preparations have the machine for themselves.
 */
export async function startBusy(command: string): Promise<number> {
  const computed = 'set -- $(cat /proc/$p/stat); [ $((${14} + ${15})) -gt 10 ]';
  const pid = Number(
    await shell(
      `setsid ${command} </dev/null >/dev/null 2>&1 & p=$!; until ${computed}; do :; done; kill -STOP $p; echo $p`,
    ),
  );
  started.push(pid);
  stopped.push(pid);
  return pid;
}

/** Starts demo.c's program as {@link startBusy} does. */
export const startDemo = (): Promise<number> => startBusy('/opt/fb/demo');

/** Lets the programs of {@link startBusy} run. */
export async function continuePrograms(): Promise<void> {
  const pids = stopped.splice(0);
  if (pids.length > 0) await shell(`kill -CONT ${pids.join(' ')}`);
}

/** Ends what {@link startProgram} started. */
export async function endPrograms(): Promise<void> {
  const ended = started.splice(0);
  stopped.length = 0;
  if (ended.length > 0) await shell(`for p in ${ended.join(' ')}; do kill -9 -$p $p; done 2>/dev/null; true`);
}

/**
 * Compiles a program of this folder here, for the machine and the host that only compiles, and returns its path there. With binaries that the host lacks, each
 * of its queries for tracepoints would take minutes.
 */
export async function provideProgram(name: string): Promise<string> {
  const source = fileURLToPath(new URL(`./${name}.c`, import.meta.url));
  await execute('gcc', ['-O1', '-g', '-fno-omit-frame-pointer', '-o', `${cache}/run/${name}`, source]);
  const path = `/tmp/${name}`;
  const program = await readFile(`${cache}/run/${name}`);
  for (const host of ['fbvm', 'fbvm-build'] as const) {
    await shell(`echo ${program.toString('base64')} | base64 -d >${path} && chmod 755 ${path}`, host);
  }
  return path;
}

export function targetFor(host: Host): SshTarget {
  const address = parseTargetId(`ssh://${host}`);
  if (address.kind === 'local') throw new Error('no ssh target');
  return createSshTarget(address, { configFile: sshConfig });
}
