import { randomBytes } from 'node:crypto';
import type { CaptureDocument, PerfOptions, ProcessRow, RecordingStatus } from '#core/contract/schemas.ts';
import type { Clock, Plan, Recording, RecordingOutcome, RecordingProgress } from '#collectors/collector.ts';
import { collectorNamed } from '#collectors/registry.ts';
import { readMachineFacts, type MachineFacts } from '#collectors/target/machine-facts.ts';
import { findProcess } from '#collectors/target/processes.ts';
import { redactArgv } from '#collectors/target/redact-argv.ts';
import type { Target } from '#collectors/target/target.ts';
import { EngineFailure } from './failure.ts';
import type { CaptureWriter, NewCapture } from './library/capture-writer.ts';
import type { Library } from './library/library.ts';

export interface RecordingRequest {
  readonly plan: Plan<PerfOptions>;
  /** Captures to make, one after the other. */
  readonly repeat: number;
  /** Between two of them. */
  readonly pauseSeconds: number;
  /** null: named after what is recorded. */
  readonly name: string | null;
}

export interface RecordingContext {
  readonly library: Pick<Library, 'create'>;
  readonly target: Target;
  readonly clock?: Clock;
}

/** One recording, or a series of them, into the library. */
export interface RecordingSession {
  readonly id: string;
  readonly status: RecordingStatus;
  /** Called at each change and about twice a second. */
  onStatus(listener: (status: RecordingStatus) => void): void;
  /** Keeps what was recorded and ends the series. Idempotent; resolves when all is written. */
  stop(): Promise<RecordingStatus>;
  /** Discards the run that is under way and ends the series; runs that had ended stay. Idempotent. */
  cancel(): Promise<RecordingStatus>;
  /** Never rejects. */
  readonly ended: Promise<RecordingResult>;
}

export interface RecordingResult {
  /** What was kept, in order. */
  readonly captures: readonly CaptureDocument[];
  readonly status: RecordingStatus;
  readonly error: EngineFailure | null;
}

const SYSTEM_CLOCK: Clock = { now: Date.now, monotonic: () => performance.now() };

/** Starts recording. Rejects with an `EngineFailure` where the library takes no capture. */
export async function startRecording(context: RecordingContext, request: RecordingRequest): Promise<RecordingSession> {
  const session = new Session(context, request);
  await session.begin();
  return session;
}

class Session implements RecordingSession {
  readonly id = randomBytes(8).toString('hex');
  readonly ended: Promise<RecordingResult>;
  readonly #context: RecordingContext;
  readonly #request: RecordingRequest;
  readonly #listeners = new Set<(status: RecordingStatus) => void>();
  readonly #captures: CaptureDocument[] = [];
  readonly #settle: (result: RecordingResult) => void;
  #status: RecordingStatus;
  #recording: Recording | null = null;
  #ask: 'stop' | 'cancel' | null = null;
  #endPause = (): void => {};

  constructor(context: RecordingContext, request: RecordingRequest) {
    this.#context = context;
    this.#request = request;
    this.#status = {
      recordingId: this.id,
      captureId: '',
      state: 'preparing',
      elapsedMs: 0,
      samples: 0,
      lost: 0,
      bytes: 0,
      run: 0,
      runs: request.repeat,
      messages: [],
      error: null,
    };
    const { promise, resolve } = Promise.withResolvers<RecordingResult>();
    this.ended = promise;
    this.#settle = resolve;
  }

  get status(): RecordingStatus {
    return this.#status;
  }

  onStatus(listener: (status: RecordingStatus) => void): void {
    this.#listeners.add(listener);
    listener(this.#status);
  }

  stop(): Promise<RecordingStatus> {
    return this.#end('stop');
  }

  cancel(): Promise<RecordingStatus> {
    return this.#end('cancel');
  }

  /** Resolves when the first capture is in the library; the rest follows. */
  async begin(): Promise<void> {
    const { target } = this.#context;
    const { scope } = this.#request.plan.options;
    const [machine, process] = await Promise.all([
      readMachineFacts(target),
      scope.kind === 'pid' ? findProcess(target, scope.pid) : null,
    ]);
    const first = await this.#createCapture(0, this.#request.plan, machine, process);
    void this.#runAll(first, machine, process);
  }

  async #end(ask: 'stop' | 'cancel'): Promise<RecordingStatus> {
    if (this.#ask !== 'cancel') this.#ask = ask;
    this.#endPause();
    void this.#recording?.[ask]();
    return (await this.ended).status;
  }

  async #runAll(first: CaptureWriter, machine: MachineFacts, process: ProcessRow | null): Promise<void> {
    let { plan } = this.#request;
    let writer = first;
    let error: EngineFailure | null = null;
    let state: RecordingStatus['state'] = 'finished';
    try {
      for (let run = 0; ; run++) {
        const outcome = await this.#record(writer, plan);
        if (outcome.state === 'failed') throw toEngineFailure(outcome);
        if (outcome.state === 'cancelled') state = 'cancelled';
        if (run + 1 >= this.#request.repeat || !(await this.#pause())) break;
        plan = collectorNamed(plan.collector).planNext(plan, outcome);
        writer = await this.#createCapture(run + 1, plan, machine, process);
      }
      if (this.#ask === 'cancel') state = 'cancelled';
    } catch (cause) {
      state = 'failed';
      error = cause instanceof EngineFailure ? cause : new EngineFailure('internal', describeError(cause));
    }
    this.#update({ state, error: error === null ? null : oneLine(error) });
    this.#listeners.clear();
    this.#settle({ captures: this.#captures, status: this.#status, error });
  }

  /** False where the series is to end. */
  async #pause(): Promise<boolean> {
    if (this.#ask !== null) return false;
    this.#update({ state: 'preparing', elapsedMs: 0, samples: 0, lost: 0, bytes: 0, run: this.#status.run + 1 });
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#request.pauseSeconds * 1000);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    return this.#ask === null;
  }

  async #createCapture(
    run: number,
    plan: Plan<PerfOptions>,
    machine: MachineFacts,
    process: ProcessRow | null,
  ): Promise<CaptureWriter> {
    const { target, library } = this.#context;
    const { repeat, name } = this.#request;
    const { output } = collectorNamed(plan.collector);
    const title = name ?? describeScope(plan.options, process);
    const capture: NewCapture = {
      name: repeat > 1 ? `${title} (${run + 1}/${repeat})` : title,
      origin: 'recorded',
      primaryFile: output.primaryFile,
      otherFiles: [...output.otherFiles],
      format: output.format,
      collector: {
        id: plan.collector,
        toolVersion: plan.toolVersion,
        commands: plan.commands.map(redactArgv),
        exitCode: null,
        signal: null,
      },
      target: { kind: target.kind, host: target.host, ...machine },
      process,
      event: plan.event,
      rateHz: plan.options.rateHz,
      series: repeat > 1 ? { id: this.id, run, of: repeat } : null,
    };
    const writer = await library.create(capture);
    this.#update({ captureId: writer.id });
    return writer;
  }

  async #record(writer: CaptureWriter, plan: Plan<PerfOptions>): Promise<RecordingOutcome> {
    const { target, clock = SYSTEM_CLOCK } = this.#context;
    const recording = collectorNamed(plan.collector).start(target, plan, writer, clock);
    this.#recording = recording;
    if (this.#ask !== null) void recording[this.#ask]();
    let known: RecordingProgress['state'] = 'preparing';
    recording.onProgress((progress) => {
      if (progress.state === 'recording' && known !== 'recording') {
        // What is said again at the end is not worth failing for.
        void writer.update({ state: 'recording', startedAt: clock.now() }).catch(() => undefined);
      }
      known = progress.state;
      // The last word comes when the capture has been written.
      const ending = progress.state === 'finished' || progress.state === 'failed' || progress.state === 'cancelled';
      this.#update({ ...progress, state: ending ? 'stopping' : progress.state, messages: [...progress.messages] });
    });
    const outcome = await recording.outcome;
    if (outcome.state === 'finished') this.#captures.push(await writer.finish(describeOutcome(outcome, writer)));
    else await writer.discard();
    return outcome;
  }

  #update(changes: Partial<RecordingStatus>): void {
    this.#status = { ...this.#status, ...changes };
    for (const listener of this.#listeners) listener(this.#status);
  }
}

function describeOutcome(outcome: RecordingOutcome, { document }: CaptureWriter): Partial<CaptureDocument> {
  return {
    state: 'finished',
    incomplete: outcome.incomplete,
    primaryFile: outcome.primaryFile,
    otherFiles: [...outcome.otherFiles],
    collector: document.collector && {
      ...document.collector,
      exitCode: outcome.exit?.code ?? null,
      signal: outcome.exit?.signal ?? null,
    },
    event: outcome.event,
    startedAt: outcome.startedAt,
    durationMs: Math.round(outcome.durationMs),
    samples: outcome.samples,
    lostSamples: outcome.lost,
    cpuSeconds: outcome.cpuSeconds,
    diagnostics: [...outcome.diagnostics],
  };
}

/** `nginx (4711)`, `./server`, `whole system` */
function describeScope({ scope }: PerfOptions, process: ProcessRow | null): string {
  switch (scope.kind) {
    case 'pid':
      return `${process?.name ?? 'process'} (${scope.pid})`;
    case 'command':
      return redactArgv(scope.argv).slice(0, 4).join(' ').slice(0, 80);
    case 'system':
      return 'whole system';
  }
}

function toEngineFailure({ error }: RecordingOutcome): EngineFailure {
  if (error === null) return new EngineFailure('capture-failed', 'The recording failed.');
  return new EngineFailure(error.code, error.message, error.remedy);
}

const oneLine = ({ message, remedy }: EngineFailure): string => (remedy === null ? message : `${message}; ${remedy}`);

const describeError = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
