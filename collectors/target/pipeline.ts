import { randomBytes } from 'node:crypto';
import type { CpuSeconds } from './cpu-meter.ts';
import { readScript } from '../read-script.ts';
import { MarkedLines } from './ssh/marked-output.ts';
import { toExit } from './ssh/run-reports.ts';
import type { ProcessExit, RunningProcess, RunOptions, Target } from './target.ts';
import { parseCount } from './target-words.ts';

const PIPELINE_SCRIPT = readScript(new URL('./pipeline.sh', import.meta.url));

/** The process whose CPU time is read on the target. */
interface CpuSubject {
  readonly pid: number;
  readonly startTicks: string;
}

export interface PipelineOptions extends Pick<RunOptions, 'cwd' | 'env' | 'signal'> {
  readonly measured: CpuSubject | null;
  /** Sends the first stage four lines per second as input; otherwise its input is empty. */
  readonly pings?: boolean;
}

/** Several programs on the target, connected by pipes. */
export interface RunningPipeline {
  /** Output of the last stage. */
  readonly stdout: AsyncIterable<Uint8Array>;
  /** Errors of all stages. */
  readonly stderr: AsyncIterable<Uint8Array>;
  /** Resolves when the first stage has printed something; never if it does not. Requires stderr to be read. */
  readonly begun: Promise<void>;
  /** Signals only the first stage; the others end with their input. */
  endFirst(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): void;
  /** True once the first stage is known to have ended. Requires stderr to be read. */
  readonly hasFirstEnded: boolean;
  /** Signals everything, including what the stages left running. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** Resolves when all stages have ended. Requires stderr to be read. */
  readonly end: Promise<PipelineEnd>;
  /** Resolves when the stages have ended or the link is lost, even if nothing is read. */
  readonly ended: Promise<void>;
}

export interface PipelineEnd {
  /** In order of the stages; null if unknown: the link or the output was lost, or everything was killed. */
  readonly exits: readonly (ProcessExit | null)[];
  /** Exit of the whole pipeline; neither code nor signal if the link or the output was lost. */
  readonly exit: ProcessExit;
  /** From the first stage's first byte until it ended or was asked to, by the target's clock. */
  readonly seconds: number | null;
  /** utime + stime of the measured process, in seconds. */
  readonly cpuSeconds: CpuSeconds | null;
  /** utime alone. */
  readonly userSeconds: CpuSeconds | null;
  /**
   * `gone`: the measured process does not exist, and nothing ran. `replaced`: its PID now belongs to another process.
   */
  readonly identity: 'same' | 'gone' | 'replaced';
  /** The measured process had ended when the first stage did. */
  readonly measuredEnded: boolean;
  /** The process that passes on the last output was killed; the link is not lost. */
  readonly isTorn: boolean;
}

const GRACE_MS = 1000;

/** Rejects like `run`. */
export async function startPipeline(
  target: Pick<Target, 'run'>,
  stages: readonly (readonly string[])[],
  { measured, pings = false, ...options }: PipelineOptions,
): Promise<RunningPipeline> {
  const token = `flamebench-${randomBytes(16).toString('hex')}`;
  const process = await target.run(pipelineArgv(stages, measured, pings), options);
  const ask = (line: string): void => void process.write(new TextEncoder().encode(`${line}\n`)).catch(() => {});
  const log = new PipelineLog(stages.length);
  const stderr = withoutLines(process, token, (line) => log.add(line.split(' ')));
  ask(token);
  void process.exit.then(() => endWhatIsLeft(process));
  return {
    stdout: process.stdout,
    stderr: stderr.chunks,
    begun: log.begun,
    endFirst: (signal) => ask(signal.slice(3)),
    get hasFirstEnded() {
      return log.hasFirstEnded;
    },
    kill: (signal) => process.kill(signal),
    end: Promise.all([process.exit, stderr.ended]).then(([exit]) => log.end(exit)),
    ended: process.exit.then(() => undefined),
  };
}

/** Ends children of the stages that outlived them. */
function endWhatIsLeft(process: RunningProcess): void {
  process.kill('SIGTERM');
  setTimeout(() => process.kill('SIGKILL'), GRACE_MS).unref();
}

function pipelineArgv(stages: readonly (readonly string[])[], measured: CpuSubject | null, pings: boolean): string[] {
  return [
    '/bin/sh',
    '-c',
    PIPELINE_SCRIPT,
    'flamebench',
    `${stages.length}`,
    pings ? '1' : '0',
    `${measured?.pid ?? ''}`,
    measured?.startTicks ?? '',
    ...stages.flatMap((argv) => [`${argv.length}`, ...argv]),
  ];
}

/** Returns the stderr output other than the script's lines. */
function withoutLines(
  { stderr }: RunningProcess,
  token: string,
  onLine: (line: string) => void,
): { readonly chunks: AsyncIterable<Uint8Array>; readonly ended: Promise<void> } {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const kept: Uint8Array[] = [];
  const lines = new MarkedLines(token, onLine, (bytes) => void kept.push(bytes));
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of stderr) {
        lines.feed(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
        yield* kept.splice(0);
      }
      lines.end();
      yield* kept;
    } finally {
      resolve();
    }
  }
  return { chunks: chunks(), ended };
}

interface ClockReading {
  /** By the target's clock. */
  readonly seconds: number;
  readonly cpuSeconds: number | null;
  readonly userSeconds: number | null;
}

/** The reports of the script. */
class PipelineLog {
  readonly begun: Promise<void>;
  readonly #begin: () => void;
  readonly #exits: (ProcessExit | null)[];
  readonly #moments = new Map<string, ClockReading>();
  #identity: PipelineEnd['identity'] = 'same';
  #measuredEnded = false;
  /** The output was cut off; how the stages ended says nothing about it. */
  #isTorn = false;

  constructor(stages: number) {
    this.#exits = Array.from({ length: stages }, () => null);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.begun = promise;
    this.#begin = resolve;
  }

  add([kind, ...words]: readonly string[]): void {
    const [first = '', second = '', third = '', fourth = '', fifth = ''] = words;
    const stage = kind === 'exit' ? parseCount(first, this.#exits.length - 1) : null;
    if (stage !== null) this.#exits[stage] = toExit(second);
    else if (kind === 'refused') this.#identity = first === 'gone' ? 'gone' : 'replaced';
    else if (kind === 'replaced') this.#identity = 'replaced';
    else if (kind === 'gone') this.#measuredEnded = true;
    else if (kind === 'torn') this.#isTorn = true;
    else if (kind === 'time' && !this.#moments.has(first)) {
      const inSeconds = (ticks: string): number | null => (/^\d+$/.test(ticks) ? Number(ticks) / Number(fourth) : null);
      const reading = { seconds: Number(second), cpuSeconds: inSeconds(third), userSeconds: inSeconds(fifth) };
      this.#moments.set(first, reading);
      if (first === 'begin') this.#begin();
    }
  }

  get hasFirstEnded(): boolean {
    return this.#exits[0] !== null;
  }

  end(exit: ProcessExit): PipelineEnd {
    const begin = this.#moments.get('begin');
    const end = this.#moments.get('stop') ?? this.#moments.get('exit');
    const between = (read: 'cpuSeconds' | 'userSeconds'): CpuSeconds | null => {
      const [start = null, last = null] = [begin?.[read], end?.[read]];
      return start === null || last === null ? null : { start, end: last };
    };
    return {
      exits: this.#isTorn ? this.#exits.map(() => null) : this.#exits,
      exit: this.#isTorn ? { code: null, signal: null } : exit,
      seconds: begin === undefined || end === undefined ? null : Math.max(0, end.seconds - begin.seconds),
      cpuSeconds: between('cpuSeconds'),
      userSeconds: between('userSeconds'),
      identity: this.#identity,
      measuredEnded: this.#measuredEnded,
      isTorn: this.#isTorn,
    };
  }
}
