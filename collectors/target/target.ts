/**
 * Where a collector runs. `local` and (later) `ssh` pass one shared test suite. Commands are argv arrays; no shell is involved.
 */
export interface Target {
  readonly kind: 'local' | 'ssh';
  /** For display and for `capture.json`. */
  readonly host: string;
  /** Starts a process. Resolves once it has started; rejects with a {@link SpawnFailure} where it can't. */
  run(argv: readonly string[], options?: RunOptions): Promise<RunningProcess>;
  /** Whole file; rejects where it can't be read or is larger than `maxBytes` (default 16 MiB). */
  readFile(path: string, maxBytes?: number): Promise<Uint8Array>;
  writeFile(path: string, bytes: Uint8Array, mode?: number): Promise<void>;
  /** A new empty 0700 directory, removed by {@link dispose}. */
  makeTempDir(): Promise<string>;
  /** Ends what still runs, removes temp directories. Idempotent; runs even after failures. */
  dispose(): Promise<void>;
}

export interface RunOptions {
  readonly cwd?: string;
  /** Added to the target's environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface RunningProcess {
  readonly pid: number;
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  /** Resolves when there is room; ends the input with {@link endInput}. */
  write(bytes: Uint8Array): Promise<void>;
  endInput(): void;
  kill(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): void;
  readonly exit: Promise<ProcessExit>;
}

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
