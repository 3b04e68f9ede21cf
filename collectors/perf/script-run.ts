import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { joinBytes } from '#core/model/join-bytes.ts';
import { readStart } from '../target/run-to-end.ts';
import { describeExit, isUnknown, type ProcessExit, type RunningProcess, type Target } from '../target/target.ts';
import { cleanMessage } from '../message-log.ts';
import { PERF_ENVIRONMENT } from './perf-environment.ts';

/**
 * Maximum bytes waiting for `perf script` in memory. Beyond this it is too slow to follow, and the text is made
 * afterwards.
 */
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;

/** Milliseconds between feeds: on another machine each costs two short processes, and users would not notice more. */
const FEED_MS = 500;
/** A tenth of a busy CPU: other programs come first, but the text is still ready soon after a stop. */
const NICENESS = 10;
const END_GRACE_MS = 2000;

/** `perf script` running alongside a recording. The recording never waits for it. */
export interface LiveScript {
  push(chunk: Uint8Array): void;
  /** Ends the input and resolves when all text has arrived. */
  end(): Promise<ScriptEnd>;
  /** Resolves when it has ended. */
  kill(): Promise<void>;
}

interface ScriptEnd {
  /** The whole input was converted to text. */
  readonly complete: boolean;
  /** `perf script`'s message, one line; empty if there is none. */
  readonly message: string;
}

/** Starts `perf script`. `onText` is awaited before more is read; if it rejects, the text ends there. */
export async function startLiveScript(
  target: Target,
  argv: readonly string[],
  onText: (chunk: Uint8Array) => Promise<void>,
): Promise<LiveScript> {
  const script = await target.run(argv, { env: PERF_ENVIRONMENT });
  const queue: Uint8Array[] = [];
  let queued = 0;
  let open = true;
  let following = true;
  let wake = (): void => {};

  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  if (target.kind === 'local') yieldToOthers(script.pid);

  async function feed(): Promise<void> {
    for (;;) {
      const chunk = joinBytes(queue.splice(0));
      if (chunk.length > 0) {
        queued -= chunk.length;
        await script.write(chunk);
        if (open) await Promise.race([closed, sleep(FEED_MS)]);
      } else if (open) {
        await new Promise<void>((resolve) => (wake = resolve));
      } else break;
    }
    script.endInput();
  }

  async function read(): Promise<void> {
    for await (const chunk of script.stdout) await onText(chunk);
  }

  function abandon(): void {
    following = false;
    open = false;
    close();
    queue.length = 0;
    wake();
    endGently(script);
  }

  const fed = settled(feed());
  const texts = settled(read());
  const messages = readStart(script.stderr);
  return {
    push(chunk) {
      if (!following) return;
      queue.push(chunk);
      queued += chunk.length;
      if (queued > MAX_QUEUED_BYTES) abandon();
      wake();
    },
    async end() {
      open = false;
      close();
      wake();
      const [wasFed, wasRead, message, exit] = await Promise.all([fed, texts, messages, script.exit]);
      return { complete: following && wasFed && wasRead && exit.code === 0, message: lastLine(message) };
    },
    async kill() {
      abandon();
      await script.exit;
    },
  };
}

/** Does nothing if that is not allowed, or if the process has ended. */
function yieldToOthers(pid: number): void {
  try {
    setPriority(pid, NICENESS);
  } catch {
    // It keeps its priority.
  }
}

/** `perf script` did not read its whole input. */
export class ScriptFailure extends Error {
  /** Everything that it printed. */
  readonly said: string;
  readonly exit: ProcessExit;

  constructor(exit: ProcessExit, said: string, command = 'script') {
    super(describeEnd(exit, lastLine(said), command));
    this.name = 'ScriptFailure';
    this.said = said;
    this.exit = exit;
  }
}

interface ScriptTextOptions {
  readonly signal?: AbortSignal;
  /** Runs at low priority. */
  readonly isBackground?: boolean;
}

/**
 * Yields the text of a whole recording. Throws a {@link ScriptFailure} if `perf script` fails, and the signal's reason
 * if that ends it.
 */
export async function* scriptText(
  target: Target,
  argv: readonly string[],
  raw: AsyncIterable<Uint8Array>,
  { signal, isBackground = false }: ScriptTextOptions = {},
): AsyncGenerator<Uint8Array> {
  signal?.throwIfAborted();
  const script = await target.run(argv, { env: PERF_ENVIRONMENT });
  if (isBackground && target.kind === 'local') yieldToOthers(script.pid);
  const onAbort = (): void => endGently(script);
  signal?.addEventListener('abort', onAbort);
  const messages = readStart(script.stderr);
  const feeding = feedAll(script, raw);
  const fed = settled(feeding);
  try {
    yield* script.stdout;
    const exit = await script.exit;
    // After SIGINT it may exit with success.
    signal?.throwIfAborted();
    // What feeds it may be such a text itself.
    await feeding.catch((error: unknown) => {
      if (error instanceof ScriptFailure) throw error;
    });
    if (!(await fed) || exit.code !== 0) throw new ScriptFailure(exit, await messages, argv[1]);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    endGently(script);
    await script.exit;
  }
}

/** Ends `perf script` so that it can remove its copy of the vdso from /tmp; kills it only if it does not end. */
function endGently(script: RunningProcess): void {
  script.endInput();
  script.kill('SIGINT');
  const timer = setTimeout(() => script.kill('SIGKILL'), END_GRACE_MS);
  void script.exit.then(() => clearTimeout(timer));
}

async function feedAll(script: RunningProcess, raw: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of raw) await script.write(chunk);
  } finally {
    script.endInput();
  }
}

function describeEnd(exit: ProcessExit, message: string, command: string): string {
  if (isUnknown(exit)) return `the connection was lost while perf ${command} ran`;
  return `perf ${command} ended early (${describeExit(exit)})${message === '' ? '' : `: ${message}`}`;
}

const lastLine = (text: string): string => cleanMessage(text.trim().split('\n').at(-1) ?? '').slice(0, 300);

/** Returns whether the promise was fulfilled. */
const settled = (promise: Promise<void>): Promise<boolean> =>
  promise.then(
    () => true,
    () => false,
  );
