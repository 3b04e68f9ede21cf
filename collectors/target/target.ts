import type { HeldFile } from './held-file.ts';

/**
 * A machine on which a collector runs. `local` and `ssh` pass one shared test suite. Commands are argv arrays; no shell
 * is involved.
 */
export interface Target {
  readonly kind: 'local' | 'ssh';
  /** For display and for `capture.json`. */
  readonly host: string;
  /** Starts a process. Resolves once it has started; rejects with a {@link SpawnFailure} if it can't start. */
  run(argv: readonly string[], options?: RunOptions): Promise<RunningProcess>;
  /**
   * Returns the factor by which commands may exceed their usual time limits, at least 1: a host that starts commands
   * slowly also runs them slowly. Absent: 1.
   */
  readonly slowness?: () => number;
  /** Absent if sudo has no terminal for its prompt. */
  readonly root?: RootAccess;
  /** Returns the absolute path of a program on the target's search path; null if there is none. */
  findExecutable(name: string): Promise<string | null>;
  /** Reads a whole file; rejects if it can't be read or is larger than `maxBytes` (default 16 MiB). */
  readFile(path: string, maxBytes?: number): Promise<Uint8Array>;
  /**
   * Reads parts of many files in one call, in the order of `ranges`; null if one can't be read. Results are shorter at
   * the end of a file.
   */
  readRanges(ranges: readonly FileRange[]): Promise<(Uint8Array | null)[]>;
  /** Returns the targets of links, in the order of `paths`; null if one can't be read. */
  readLinks(paths: readonly string[]): Promise<(string | null)[]>;
  /** Returns names, unordered; rejects if the directory can't be read. */
  listDirectory(path: string): Promise<string[]>;
  /** Returns null if there is no such file. */
  stat(path: string): Promise<FileFacts | null>;
  /**
   * Keeps a file readable. Returns null if it can't be opened, or if it is a link and `isLink` is not given. Absent on
   * other machines.
   */
  readonly hold?: (path: string, options?: { readonly isLink?: boolean }) => Promise<HeldFile | null>;
  writeFile(path: string, bytes: Uint8Array, mode?: number): Promise<void>;
  /**
   * Creates an empty directory with mode 0700, which is removed by {@link removeTempDir}, {@link dispose} or, without
   * them, when the connection or Flamebench ends. On other machines it takes one of the channels that the server
   * allows.
   */
  makeTempDir(): Promise<string>;
  /** Removes a directory of {@link makeTempDir}; has no effect on others. */
  removeTempDir(path: string): Promise<void>;
  /**
   * Makes a TCP port that the target can reach available here. For another host's port, no other user of this machine
   * can connect. `host` is a name or an address as seen from the target, IPv6 in brackets; default: its loopback.
   */
  forwardPort(port: number, host?: string): Promise<ForwardedPort>;
  /** Makes what a command of the target connects its input and output to available here, likewise. */
  forwardCommand(argv: readonly string[]): Promise<ForwardedPort>;
  /**
   * Ends everything that still runs, removes temporary directories, and closes the connection for good. Idempotent; works
   * even after failures.
   */
  dispose(): Promise<void>;
}

export interface ForwardedPort {
  /** For `net.connect`; a Unix socket if the target is another host, or a command connects. */
  readonly address: { readonly path: string } | { readonly host: string; readonly port: number };
  close(): Promise<void>;
}

/** Root access on a target by sudo, whose prompt appears in the target's terminal. */
interface RootAccess {
  /**
   * Returns the argv by which {@link run} becomes root, except for the temporary folder that is created for it; null
   * without sudo.
   */
  sudoArgv(): Promise<readonly string[] | null>;
  run: Target['run'];
}

export interface FileRange {
  readonly path: string;
  /** Bytes. */
  readonly offset: number;
  readonly length: number;
}

export interface FileFacts {
  readonly size: number;
  readonly uid: number;
  /** Unix epoch milliseconds. */
  readonly modifiedAt: number;
}

export interface RunOptions {
  readonly cwd?: string;
  /** Added to the target's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** False: the process has empty input, and {@link RunningProcess.write} rejects. Default true. */
  readonly input?: boolean;
  /**
   * On this machine only. True: the process has Flamebench's own stdin, stdout and stderr, and its terminal if there
   * is one, in whose foreground group it stays; {@link RunningProcess.write} goes to descriptor 3.
   */
  readonly sharesStreams?: boolean;
  /** Ends the process and its children. */
  readonly signal?: AbortSignal;
}

/** A process and its children, in a process group of its own. They end when Flamebench does, even by kill -9. */
export interface RunningProcess {
  readonly pid: number;
  /** Both outputs must be read, or the process blocks when a pipe is full. */
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  /** Resolves when there is space; rejects if the process no longer reads. {@link endInput} ends the input. */
  write(bytes: Uint8Array): Promise<void>;
  endInput(): void;
  /** Signals the children, too, even if they have outlived the process. */
  kill(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): void;
  readonly exit: Promise<ProcessExit>;
}

/** Both null: the connection to the target was lost before the process ended; it ends there on its own. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Returns whether the connection was lost before the process ended. */
export const isUnknown = ({ code, signal }: ProcessExit): boolean => code === null && signal === null;

export function describeExit(exit: ProcessExit): string {
  if (isUnknown(exit)) return 'the connection was lost';
  return exit.signal === null ? `exit code ${exit.code}` : `killed by ${exit.signal}`;
}

/** Returns what starts a plan's commands: as root, if it has a `sudo`. */
export function runnerOf(target: Target, sudo: readonly string[] | null): Pick<Target, 'run'> {
  const runner = sudo === null ? target : target.root;
  if (runner === undefined) throw new Error('nothing runs as root here');
  return runner;
}

/** Returns the same target, on which `wrap` replaces the ways to start a process. */
export const withRuns = (target: Target, wrap: (access: Pick<Target, 'run'>) => Target['run']): Target => ({
  ...target,
  run: wrap(target),
  ...(target.root === undefined ? {} : { root: { ...target.root, run: wrap(target.root) } }),
});

/** Calls `end` when the signal aborts, unless the process has ended before. */
export function endWith({ exit }: RunningProcess, signal: AbortSignal | undefined, end: () => void): void {
  if (signal === undefined) return;
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  void exit.then(() => signal.removeEventListener('abort', end));
}

export class SpawnFailure extends Error {
  /** `ENOENT`, `EACCES`… */
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'SpawnFailure';
    this.code = code;
  }
}
