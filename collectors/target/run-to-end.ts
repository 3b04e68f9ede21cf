import { joinBytes } from '#core/model/join-bytes.ts';
import type { ProcessExit, RunningProcess, RunOptions, Target } from './target.ts';

interface Completed {
  readonly stdout: Uint8Array;
  readonly stderr: string;
  readonly exit: ProcessExit;
}

interface RunToEndOptions extends RunOptions {
  /** Milliseconds after which the process is ended, multiplied by the target's slowness; default 10 s. */
  readonly timeoutMs?: number;
  /** Maximum bytes of each output; the rest is read and dropped. Default 4 MiB. */
  readonly maxBytes?: number;
}

/**
 * Runs a short command without input and returns its output. A non-zero exit is a result; rejects only if the command
 * can't be started.
 */
export async function runToEnd(
  target: Pick<Target, 'run' | 'slowness'>,
  argv: readonly string[],
  options: RunToEndOptions = {},
): Promise<Completed> {
  const { timeoutMs = 10_000, maxBytes = 4 * 1024 * 1024 } = options;
  const process = await target.run(argv, { ...options, input: false });
  const timer = setTimeout(() => process.kill('SIGKILL'), timeoutMs * (target.slowness?.() ?? 1));
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
