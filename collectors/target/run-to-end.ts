import { joinBytes } from '#core/model/join-bytes.ts';
import type { ProcessExit, RunningProcess, RunOptions, Target } from './target.ts';

interface Completed {
  readonly stdout: Uint8Array;
  readonly stderr: string;
  readonly exit: ProcessExit;
}

interface RunToEndOptions extends RunOptions {
  /**
   * Milliseconds after which the process is ended, and no output of what it left running is waited for; multiplied by the
   * target's slowness. Default 10 s.
   */
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
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => {
      process.kill('SIGKILL');
      late.resolve();
    },
    timeoutMs * (target.slowness?.() ?? 1),
  );
  const stdout: Uint8Array[] = [];
  const stderr: Uint8Array[] = [];
  try {
    const read = [readInto(stdout, process.stdout, maxBytes), readInto(stderr, process.stderr, maxBytes)];
    await Promise.race([Promise.all(read), Promise.all([process.exit, late.promise])]);
    const exit = await process.exit;
    return { stdout: joinBytes(stdout), stderr: new TextDecoder().decode(joinBytes(stderr)), exit };
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the text that a command prints, however it ends; none if it can't be started. */
export const printedBy = (
  target: Pick<Target, 'run' | 'slowness'>,
  argv: readonly string[],
  options: RunToEndOptions = {},
): Promise<string> =>
  runToEnd(target, argv, options).then(
    ({ stdout }) => new TextDecoder().decode(stdout),
    () => '',
  );

/** Reads an output to its end, and returns its start as text. */
export async function readStart(output: RunningProcess['stdout'], maxBytes = 64 * 1024): Promise<string> {
  const chunks: Uint8Array[] = [];
  await readInto(chunks, output, maxBytes);
  return new TextDecoder().decode(joinBytes(chunks));
}

async function readInto(chunks: Uint8Array[], output: RunningProcess['stdout'], maxBytes: number): Promise<void> {
  let size = 0;
  for await (const chunk of output) {
    const kept = chunk.subarray(0, maxBytes - size);
    if (kept.length > 0) chunks.push(kept);
    size += kept.length;
  }
}
