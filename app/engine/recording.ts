import { randomBytes } from 'node:crypto';
import type { CaptureDocument, PerfOptions, RecordingStatus, Side } from '#core/contract/schemas.ts';
import { LOCAL_TARGET } from '#core/contract/target.ts';
import type { Clock, Plan, Recording, RecordingOutcome, RecordingProgress } from '#collectors/collector.ts';
import { collectorNamed } from '#collectors/registry.ts';
import { readMachineFacts, type MachineFacts } from '#collectors/target/machine-facts.ts';
import { findProcess } from '#collectors/target/processes.ts';
import type { Target } from '#collectors/target/target.ts';
import { EngineFailure } from './failure.ts';
import type { CaptureWriter } from './library/capture-writer.ts';
import type { Library } from './library/library.ts';
import { describeCapture, describeOutcome, type Subject } from './recorded-capture.ts';

export interface RecordingRequest {
  readonly plan: Plan<PerfOptions>;
  /** Recorded in turn with `plan`, which is the before side then. Absent: `plan` alone. */
  readonly after?: Plan<PerfOptions>;
  /** Captures to make of each, one after the other. */
  readonly repeat: number;
  /** Between two of them. */
  readonly pauseSeconds: number;
  /** null: named after what is recorded. */
  readonly name: string | null;
  /** The captures are for an experiment: for one side of it, or for both where `after` is recorded. */
  readonly into?: { readonly experimentId: string; readonly side: Side };
}

/** Captures of the library as the two sides of a comparison. */
export interface RecordedSides {
  /** The experiment that they are added to; null: a new one. */
  readonly experimentId: string | null;
  /** Null: made of the captures' names. */
  readonly name: string | null;
  readonly before: readonly CaptureDocument[];
  readonly after: readonly CaptureDocument[];
  /** Ids of those that are a command from its start to its end: each did the same work once. */
  readonly wholeRuns: readonly string[];
}

export interface RecordingContext {
  readonly library: Pick<Library, 'create'>;
  readonly target: Target;
  /** Resolves with the id of the experiment. Needed where two sides are recorded, or `into` one. */
  readonly keepSides?: (sides: RecordedSides) => Promise<string>;
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
  /**
   * That of `into`, or made of what was kept, where two sides were recorded and both have a capture. A command that was stopped before its
   * end is kept, but is in no experiment.
   */
  readonly experimentId: string | null;
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
  readonly #wholeRuns: string[] = [];
  /** Ids of runs of commands that were stopped before their end: no repeats of the others. */
  readonly #cutRuns: string[] = [];
  readonly #settle: (result: RecordingResult) => void;
  readonly #runs: number;
  #status: RecordingStatus;
  #recording: Recording | null = null;
  #ask: 'stop' | 'cancel' | null = null;
  #endPause = (): void => {};

  constructor(context: RecordingContext, request: RecordingRequest) {
    this.#context = context;
    this.#request = request;
    this.#runs = request.repeat * (request.after === undefined ? 1 : 2);
    this.#status = {
      recordingId: this.id,
      captureId: '',
      state: 'preparing',
      elapsedMs: 0,
      samples: 0,
      lost: 0,
      bytes: 0,
      run: 0,
      runs: this.#runs,
      messages: [],
      error: null,
      hosts: [],
    };
    this.#update({});
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
    const { plan, after } = this.#request;
    const [machine, ...subjects] = await Promise.all([
      readMachineFacts(this.#context.target),
      this.#subject(after === undefined ? null : 'before', plan),
      ...(after === undefined ? [] : [this.#subject('after', after)]),
    ]);
    const first = await this.#createCapture(0, subjects, machine);
    void this.#runAll(first, subjects, machine);
  }

  async #subject(side: Side | null, plan: Plan<PerfOptions>): Promise<Subject> {
    const { scope } = plan.options;
    const process = scope.kind === 'pid' ? await findProcess(this.#context.target, scope.pid) : null;
    return { side, plan, process };
  }

  async #end(ask: 'stop' | 'cancel'): Promise<RecordingStatus> {
    if (this.#ask !== 'cancel') this.#ask = ask;
    this.#endPause();
    void this.#recording?.[ask]();
    return (await this.ended).status;
  }

  async #runAll(first: CaptureWriter, subjects: readonly Subject[], machine: MachineFacts): Promise<void> {
    let writer = first;
    let error: EngineFailure | null = null;
    let state: RecordingStatus['state'] = 'finished';
    try {
      for (let run = 0; ; run++) {
        const subject = subjectOf(run, subjects);
        const outcome = await this.#record(writer, subject.plan);
        if (outcome.state === 'failed') throw toEngineFailure(outcome);
        if (outcome.state === 'cancelled') state = 'cancelled';
        if (run + 1 >= this.#runs || !(await this.#pause())) break;
        subject.plan = collectorNamed(subject.plan.collector).planNext(subject.plan, outcome);
        writer = await this.#createCapture(run + 1, subjects, machine);
      }
      if (this.#ask === 'cancel') state = 'cancelled';
    } catch (cause) {
      state = 'failed';
      error = toFailure(cause);
    }
    const experimentId = await this.#keepSides().catch((cause: unknown) => {
      state = 'failed';
      error ??= toFailure(cause);
      return null;
    });
    this.#update({
      state,
      error: error === null ? null : oneLine(error),
      ...(experimentId === null ? {} : { experimentId }),
    });
    this.#listeners.clear();
    this.#settle({ captures: this.#captures, experimentId, status: this.#status, error });
  }

  async #keepSides(): Promise<string | null> {
    const { keepSides } = this.#context;
    const { name, into } = this.#request;
    const of = (side: Side): CaptureDocument[] =>
      this.#captures.filter(({ id, series }) => (series?.side ?? into?.side) === side && !this.#cutRuns.includes(id));
    const [before, after] = [of('before'), of('after')];
    const isEmpty = into === undefined ? before.length === 0 || after.length === 0 : before.length + after.length === 0;
    if (keepSides === undefined || isEmpty) return null;
    return keepSides({ experimentId: into?.experimentId ?? null, name, before, after, wholeRuns: this.#wholeRuns });
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

  async #createCapture(run: number, subjects: readonly Subject[], machine: MachineFacts): Promise<CaptureWriter> {
    const { target, library } = this.#context;
    const { repeat, name } = this.#request;
    const subject = subjectOf(run, subjects);
    const repetition = Math.floor(run / subjects.length);
    const place = { seriesId: this.id, run, runs: this.#runs, repetition, repeat, name };
    const writer = await library.create(describeCapture(subject, place, target, machine));
    this.#update({ captureId: writer.id, ...(subject.side === null ? {} : { side: subject.side }) });
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
    if (outcome.state === 'finished') {
      this.#captures.push(await writer.finish(describeOutcome(outcome, writer.document)));
      const isCommand = plan.options.scope.kind === 'command' && plan.options.seconds === null;
      if (isCommand) (this.#ask === null && !outcome.incomplete ? this.#wholeRuns : this.#cutRuns).push(writer.id);
    } else await writer.discard();
    return outcome;
  }

  #update(changes: Partial<RecordingStatus>): void {
    const { recordingId: _id, experimentId: _experiment, hosts: _hosts, ...own } = { ...this.#status, ...changes };
    const hosts = [{ target: LOCAL_TARGET, host: this.#context.target.host, ...own }];
    this.#status = { ...this.#status, ...changes, hosts };
    for (const listener of this.#listeners) listener(this.#status);
  }
}

/** Sides take turns, so that what drifts on the machine touches both alike. */
const subjectOf = (run: number, subjects: readonly Subject[]): Subject => subjects[run % subjects.length]!;

function toEngineFailure({ error }: RecordingOutcome): EngineFailure {
  if (error === null) return new EngineFailure('capture-failed', 'The recording failed.');
  return new EngineFailure(error.code, error.message, error.remedy);
}

const oneLine = ({ message, remedy }: EngineFailure): string => (remedy === null ? message : `${message}; ${remedy}`);

function toFailure(cause: unknown): EngineFailure {
  if (cause instanceof EngineFailure) return cause;
  return new EngineFailure('internal', cause instanceof Error ? cause.message : String(cause));
}
