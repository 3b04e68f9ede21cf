import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { recoverRecording } from '#app/engine/recording/recover-recording.ts';
import { busyAtTimes } from '../../support/busy-loop.ts';
import type { CliRun } from '../../support/run-cli.ts';
import type { SshHost } from '../../support/sshd.ts';
import type { MachineProcess } from '../../support/test-machine.ts';

const LAUNCHER = fileURLToPath(new URL('../../../app/cli/flamebench.mjs', import.meta.url));
/** Samples per second, enough for text to arrive soon even if other tests share the processor. */
const RATE = 997;
/**
 * Time limit in ms for a host to be clean, generous for a busy machine: up to 30 s of silence, then the ending of
 * the processes.
 */
const CLEAN_MS = 45_000;

/** A running `flamebench` with its own configuration, which outlives it. */
export interface CliUnderWay {
  readonly child: ChildProcess;
  readonly ended: Promise<CliRun>;
  /** What it has printed to stderr so far. */
  readonly said: () => string;
}

/** The folder of a user's captures and configuration. */
export interface UserFolder {
  readonly folder: string;
}

/** Starts the real command; its `ssh` reads the configuration of `host`. Without `stdin` it has none. */
export function startCli(
  user: UserFolder,
  host: Pick<SshHost, 'clientConfigFile'>,
  args: readonly string[],
  stdin?: Uint8Array,
): CliUnderWay {
  const child = spawn(process.execPath, [LAUNCHER, ...args], {
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    env: {
      ...process.env,
      FLAMEBENCH_SSH_CONFIG: host.clientConfigFile,
      FLAMEBENCH_CONFIG: join(user.folder, 'config'),
      FLAMEBENCH_LIBRARY: libraryOf(user),
    },
  });
  const texts = { stdout: '', stderr: '' };
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(stdin);
  child.stdout!.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString()));
  const ended = new Promise<CliRun>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...texts }));
  });
  return { child, ended, said: () => texts.stderr };
}

export const runCliOn = (user: UserFolder, host: SshHost, ...args: string[]): Promise<CliRun> =>
  startCli(user, host, args).ended;

export const libraryOf = ({ folder }: UserFolder): string => join(folder, 'library');

/** Starts `flamebench record perf` on a process of the host. */
export const startRecording = (user: UserFolder, host: SshHost, pid: number, ...args: string[]): CliUnderWay =>
  startCli(user, host, [
    'record',
    'perf',
    '--target',
    host.destination,
    '--pid',
    `${pid}`,
    '--rate',
    `${RATE}`,
    ...args,
  ]);

/** Starts the process to record; it is busy most of the time only, because the hosts share the processors. */
export const startBusyOn = (host: SshHost, { user = true } = {}): Promise<MachineProcess> =>
  host.start(busyAtTimes(0.1, 40_000), { user });

/** Returns the folders of a library's captures, newest last. */
export function captureFolders(user: UserFolder): string[] {
  const library = libraryOf(user);
  if (!existsSync(library)) return [];
  const names = readdirSync(library).filter((name) => existsSync(join(library, name, 'capture.json')));
  return names.map((name) => join(library, name)).toSorted((a, b) => statSync(a).birthtimeMs - statSync(b).birthtimeMs);
}

export const captureIn = (folder: string): CaptureDocument =>
  JSON.parse(readFileSync(join(folder, 'capture.json'), 'utf8')) as CaptureDocument;

export const textIn = (folder: string): string => {
  const file = join(folder, 'raw.perf-script.txt');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

/** Resolves with the newest capture's folder once that many bytes of text have arrived in it. */
export async function untilText(user: UserFolder, cli: CliUnderWay, bytes = 5000): Promise<string> {
  let run: CliRun | null = null;
  void cli.ended.then((result) => (run = result));
  const arrived = (): number => {
    if (run !== null) throw new Error(`flamebench ended early: ${JSON.stringify(run)}`);
    return textIn(captureFolders(user).at(-1) ?? '').length;
  };
  await until(() => arrived() > bytes, 'text of the recording', 60_000);
  return captureFolders(user).at(-1)!;
}

/**
 * Checks that nothing of Flamebench runs or is stored on the host; observed from outside, so also while its link is
 * cut.
 */
export async function expectClean(host: SshHost): Promise<void> {
  let left: string[] = [];
  await until(
    async () => (left = [...host.processes(), ...(await host.files())]).length === 0,
    () => `a clean host; left are ${JSON.stringify(left)}`,
    CLEAN_MS,
  );
}

/** Works as `expect.poll`, also in tests that run in parallel. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string | (() => string),
  timeoutMs: number,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) {
      throw new Error(`waited ${timeoutMs / 1000} s for ${typeof what === 'string' ? what : what()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Opens the library as the next start does, and returns its only capture. `configPath`: the settings of the process that
 * recorded; default: those of this test file.
 */
export async function reopened(user: UserFolder, configPath?: string): Promise<CaptureDocument> {
  const library = await openLibrary(libraryOf(user), { recover: recoverRecording, configPath });
  await library.settled();
  const { captures } = await library.list();
  library.close();
  const [capture] = captures;
  if (capture === undefined || captures.length > 1) throw new Error(`${captures.length} captures instead of one`);
  return capture;
}
