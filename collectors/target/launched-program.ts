import type { Scope } from '#core/contract/schemas.ts';
import { readScript } from '../read-script.ts';
import { readProcStat } from './processes.ts';
import type { ProcessExit, RunningProcess, Target } from './target.ts';

const SCRIPT = readScript(new URL('./launcher.sh', import.meta.url));

/** The name of a program that is still held back. */
export const LAUNCHER_NAME = 'fb-launcher';

/** Milliseconds that the program may take to end after it was asked to, before it is killed. */
const GRACE_MS = 2000;
/** Milliseconds to wait for the outputs, which processes that the program left running may hold open. */
const OUTPUT_GRACE_MS = 500;

/** Where the streams of a launched program go: on this machine to this process's own, from another machine here. */
export interface ProgramStreams {
  /** Null if the program's input is empty. */
  readonly stdin: AsyncIterable<Uint8Array> | null;
  /** Awaited before more is read. */
  readonly stdout: (chunk: Uint8Array) => Promise<void>;
  readonly stderr: (chunk: Uint8Array) => Promise<void>;
}

/** Gets what a program prints, which is also in the messages. It has no input. */
export type OutputWatcher = (chunk: Uint8Array) => void;

/** A program whose process exists, but that does not begin until it is released. */
export interface LaunchedProgram {
  readonly pid: number;
  readonly startTicks: string;
  /** Idempotent. */
  release(): void;
  readonly isReleased: boolean;
  /** Asks the program and what it left running to end, by `signal` first, then kills them; resolves at the end. */
  end(signal: 'SIGINT' | 'SIGTERM'): Promise<void>;
  /** Resolves when it has ended and its output has been passed on. */
  readonly exit: Promise<ProcessExit>;
  /** Null until it has ended. */
  readonly ended: ProcessExit | null;
}

/**
 * Starts a program held back. It uses `streams` if given; otherwise its output goes to `onMessages`, and its input is
 * empty. Rejects like `run`.
 */
export async function launchProgram(
  target: Target,
  { argv, cwd, env = [] }: Extract<Scope, { kind: 'command' }>,
  given: ProgramStreams | OutputWatcher | undefined,
  onMessages: (output: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<LaunchedProgram> {
  const [streams, watch] = typeof given === 'function' ? [undefined, given] : [given, () => {}];
  const sharesStreams = streams !== undefined && target.kind === 'local';
  const held = ['/bin/sh', '-c', SCRIPT, 'flamebench', sharesStreams ? '3' : '0', ...argv];
  const process = await target.run(held, {
    sharesStreams,
    ...(cwd === undefined ? {} : { cwd }),
    env: Object.fromEntries(env.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)])),
  });
  const outputs =
    streams === undefined ? [process.stdout, process.stderr].map((output) => onMessages(watched(output, watch))) : [];
  if (streams !== undefined && !sharesStreams) {
    outputs.push(passOn(process.stdout, streams.stdout), passOn(process.stderr, streams.stderr));
  }
  const stat = await readProcStat(target, process.pid).catch(() => null);
  return new Launched(process, stat?.startTicks ?? '', sharesStreams ? undefined : (streams?.stdin ?? null), outputs);
}

class Launched implements LaunchedProgram {
  readonly pid: number;
  readonly startTicks: string;
  readonly exit: Promise<ProcessExit>;
  ended: ProcessExit | null = null;
  isReleased = false;
  readonly #process: RunningProcess;
  /** Undefined if the program has this process's own. */
  readonly #stdin: AsyncIterable<Uint8Array> | null | undefined;
  #ending: Promise<void> | null = null;

  constructor(
    process: RunningProcess,
    startTicks: string,
    stdin: AsyncIterable<Uint8Array> | null | undefined,
    outputs: readonly Promise<void>[],
  ) {
    this.pid = process.pid;
    this.startTicks = startTicks;
    this.#process = process;
    this.#stdin = stdin;
    this.exit = process.exit.then(async (exit) => {
      this.ended = exit;
      await Promise.race([Promise.allSettled(outputs), after(OUTPUT_GRACE_MS)]);
      return exit;
    });
  }

  release(): void {
    if (this.isReleased) return;
    this.isReleased = true;
    void this.#feed().catch(() => undefined);
  }

  async #feed(): Promise<void> {
    await this.#process.write(new TextEncoder().encode('go\n'));
    for await (const chunk of this.#stdin ?? []) await this.#process.write(chunk);
    this.#process.endInput();
  }

  end(signal: 'SIGINT' | 'SIGTERM'): Promise<void> {
    this.#process.kill(signal);
    this.#ending ??= this.#force();
    return this.#ending;
  }

  async #force(): Promise<void> {
    const timers = (['SIGTERM', 'SIGKILL'] as const).map((signal, index) =>
      setTimeout(() => this.#process.kill(signal), GRACE_MS * (index + 1)),
    );
    // A process group may outlive the program that led it.
    await this.#process.exit;
    this.#process.kill('SIGTERM');
    for (const timer of timers) clearTimeout(timer);
    setTimeout(() => this.#process.kill('SIGKILL'), GRACE_MS).unref();
  }
}

async function* watched(output: AsyncIterable<Uint8Array>, watch: OutputWatcher): AsyncGenerator<Uint8Array> {
  for await (const chunk of output) {
    watch(chunk);
    yield chunk;
  }
}

async function passOn(output: AsyncIterable<Uint8Array>, take: (chunk: Uint8Array) => Promise<void>): Promise<void> {
  for await (const chunk of output) await take(chunk);
}

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
