import { joinBytes } from './join-bytes.ts';
import type { ProcessExit, RunningProcess, RunOptions, Target } from './target.ts';

export interface Completed {
  readonly stdout: Uint8Array;
  readonly stderr: string;
  readonly exit: ProcessExit;
}

export interface RunToEndOptions extends RunOptions {
  /** The process is ended after this; default 10 s. */
  readonly timeoutMs?: number;
  /** Of each output; what is beyond is read and dropped. Default 4 MiB. */
  readonly maxBytes?: number;
}

/** Runs a short command without input and keeps what it prints. A non-zero exit is data; rejects only where it can't be started. */
export async function runToEnd(
  target: Target,
  argv: readonly string[],
  options: RunToEndOptions = {},
): Promise<Completed> {
  const { timeoutMs = 10_000, maxBytes = 4 * 1024 * 1024 } = options;
  const process = await target.run(argv, { ...options, input: false });
  const timer = setTimeout(() => process.kill('SIGKILL'), timeoutMs);
  try {
    const [stdout, stderr, exit] = await Promise.all([
      readAll(process.stdout, maxBytes),
      readAll(process.stderr, maxBytes),
      process.exit,
    ]);
    return { stdout, stderr: new TextDecoder().decode(stderr), exit };
  } finally {
    clearTimeout(timer);
  }
}

async function readAll(output: RunningProcess['stdout'], maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of output) {
    const kept = chunk.subarray(0, maxBytes - size);
    if (kept.length > 0) chunks.push(kept);
    size += kept.length;
  }
  return joinBytes(chunks);
}
