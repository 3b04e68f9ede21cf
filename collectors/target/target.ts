/**
 * Where a collector runs. `local` and `ssh` pass one shared test suite. Commands are argv arrays; no shell is involved.
 */
export interface Target {
  readonly kind: 'local' | 'ssh';
  /** For display and for `capture.json`. */
  readonly host: string;
  /** Starts a process. Resolves once it has started; rejects with a {@link SpawnFailure} where it can't. */
  run(argv: readonly string[], options?: RunOptions): Promise<RunningProcess>;
  /** Absent where sudo has no place to ask at. */
  readonly root?: RootAccess;
  /** Absolute path of a program on the target's search path; null where there is none. */
  findExecutable(name: string): Promise<string | null>;
  /** Whole file; rejects where it can't be read or is larger than `maxBytes` (default 16 MiB). */
  readFile(path: string, maxBytes?: number): Promise<Uint8Array>;
  /** Parts of many files in one go, in order of `ranges`; null where one can't be read. Shorter at the end of a file. */
  readRanges(ranges: readonly FileRange[]): Promise<(Uint8Array | null)[]>;
  /** Where links point, in order of `paths`; null where one can't be read. */
  readLinks(paths: readonly string[]): Promise<(string | null)[]>;
  /** Names, unordered; rejects where the directory can't be read. */
  listDirectory(path: string): Promise<string[]>;
  /** Null where there is no such file. */
  stat(path: string): Promise<FileFacts | null>;
  writeFile(path: string, bytes: Uint8Array, mode?: number): Promise<void>;
  /** A new empty 0700 directory, removed by {@link dispose}, and where the connection or Flamebench ends without it. */
  makeTempDir(): Promise<string>;
  /**
   * Makes a TCP port that the target reaches reachable from here, by nobody else of this machine's users where it is another host's.
   * `host`: a name or an address as the target sees it, IPv6 in brackets; its loopback by default.
   */
  forwardPort(port: number, host?: string): Promise<ForwardedPort>;
  /** Ends what still runs, removes temp directories. Idempotent; runs even after failures. */
  dispose(): Promise<void>;
}

export interface ForwardedPort {
  /** For `net.connect`; a Unix socket where the target is another host. */
  readonly address: { readonly path: string } | { readonly host: string; readonly port: number };
  close(): Promise<void>;
}

/** Root's rights on a target, by sudo, whose question shows where the target's questions do. */
export interface RootAccess {
  /** What becomes root for {@link run}, but for the folder that is made for it; null where there is no sudo. */
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
  /** False: the process finds nothing on its input, and {@link RunningProcess.write} rejects. Default true. */
  readonly input?: boolean;
  /** Ends the process and its children. */
  readonly signal?: AbortSignal;
}

/** A process and its children, in a process group of its own. They end when Flamebench does, also by kill -9. */
export interface RunningProcess {
  readonly pid: number;
  /** Both outputs must be read, or the process blocks when a pipe is full. */
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  /** Resolves when there is room; rejects where the process no longer reads. Ends the input with {@link endInput}. */
  write(bytes: Uint8Array): Promise<void>;
  endInput(): void;
  /** Reaches the children too, also those that outlived the process. */
  kill(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): void;
  readonly exit: Promise<ProcessExit>;
}

/** Both null: the connection to the target was lost before the process ended; it ends there by itself. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
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
