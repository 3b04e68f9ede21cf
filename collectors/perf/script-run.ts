import { joinBytes } from '../target/join-bytes.ts';
import type { ProcessExit, RunningProcess, Target } from '../target/target.ts';
import { cleanMessage } from './explain-failure.ts';
import { PERF_ENVIRONMENT } from './perf-environment.ts';

/** More than this waiting for `perf script` in memory, and it is too slow to follow: the text is made afterwards. */
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;

/** What goes to another machine costs it two short processes each time. */
const FEED_MS = 500;
const END_GRACE_MS = 2000;

/** `perf script` beside a recording. The recording never waits for it. */
export interface LiveScript {
  push(chunk: Uint8Array): void;
  /** Ends the input and resolves when all text has come. */
  end(): Promise<ScriptEnd>;
  /** Resolves when it has ended. */
  kill(): Promise<void>;
}

export interface ScriptEnd {
  /** All of the input became text. */
  readonly complete: boolean;
  /** What `perf script` said, one line; empty where nothing. */
  readonly message: string;
}

/** `onText` is awaited before more is read. Where it rejects, the text ends there. */
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

  const pauseMs = target.kind === 'local' ? 0 : FEED_MS;

  async function feed(): Promise<void> {
    for (;;) {
      const chunk = joinBytes(queue.splice(0));
      if (chunk.length > 0) {
        queued -= chunk.length;
        await script.write(chunk);
        if (open && pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
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
    queue.length = 0;
    wake();
    endGently(script);
  }

  const fed = settled(feed());
  const texts = settled(read());
  const messages = readText(script.stderr);
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

/** `perf script` did not read all of its input. */
export class ScriptFailure extends Error {
  /** All that it said. */
  readonly said: string;
  readonly exit: ProcessExit;

  constructor(exit: ProcessExit, said: string) {
    super(describeEnd(exit, lastLine(said)));
    this.name = 'ScriptFailure';
    this.said = said;
    this.exit = exit;
  }
}

/** The text of a whole recording. Throws a {@link ScriptFailure} where `perf script` fails, and the signal's reason where that ends it. */
export async function* scriptText(
  target: Target,
  argv: readonly string[],
  raw: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  signal?.throwIfAborted();
  const script = await target.run(argv, { env: PERF_ENVIRONMENT });
  const onAbort = (): void => endGently(script);
  signal?.addEventListener('abort', onAbort);
  const messages = readText(script.stderr);
  const fed = settled(feedAll(script, raw));
  try {
    yield* script.stdout;
    const exit = await script.exit;
    // Ended gently, it may say that all went well.
    signal?.throwIfAborted();
    if (!(await fed) || exit.code !== 0) throw new ScriptFailure(exit, await messages);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    endGently(script);
    await script.exit;
  }
}

/** `perf script` keeps a copy of the vdso in /tmp, which it removes at its end unless it is killed. */
function endGently(script: RunningProcess): void {
  script.endInput();
  script.kill('SIGINT');
  const timer = setTimeout(() => script.kill('SIGKILL'), END_GRACE_MS);
  void script.exit.then(() => clearTimeout(timer));
}

async function feedAll(script: RunningProcess, raw: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of raw) await script.write(chunk);
  script.endInput();
}

function describeEnd(exit: ProcessExit, message: string): string {
  if (exit.code === null && exit.signal === null) return 'the connection was lost while perf script ran';
  const ended = exit.signal === null ? `exit code ${exit.code ?? '?'}` : `killed by ${exit.signal}`;
  return `perf script ended early (${ended})${message === '' ? '' : `: ${message}`}`;
}

async function readText(output: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of output) if (text.length < 64 * 1024) text += decoder.decode(chunk, { stream: true });
  return text;
}

const lastLine = (text: string): string => cleanMessage(text.trim().split('\n').at(-1) ?? '').slice(0, 300);

/** Whether the promise was kept. */
const settled = (promise: Promise<void>): Promise<boolean> =>
  promise.then(
    () => true,
    () => false,
  );
