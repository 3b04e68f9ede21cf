import type { CaptureDocument, CollectorId, HostRecording, Side } from '#core/contract/schemas.ts';
import type {
  Clock,
  AnyCollector,
  AnyPlan,
  Recording,
  RecordingOutcome,
  RecordingProgress,
} from '#collectors/collector.ts';
import {
  NO_LOAD,
  readCgroupLimits,
  readLoad,
  readMachineSettings,
  type MachineSettings,
} from '#collectors/target/circumstances.ts';
import { readMachineFacts, type MachineFacts } from '#collectors/target/machine-facts.ts';
import { findProcess } from '#collectors/target/processes.ts';
import type { Target } from '#collectors/target/target.ts';
import { EngineFailure, toEngineFailure } from '../failure.ts';
import type { CaptureWriter } from '../library/capture-writer.ts';
import type { Library } from '../library/library.ts';
import type { Journal, JournalEntry } from '../targets/journal.ts';
import { describeCapture, describeCircumstances, describeOutcome, type Subject } from './recorded-capture.ts';

/** What is recorded on one target. */
export interface RecordedHost {
  readonly targetId: string;
  readonly target: Target;
  readonly plan: AnyPlan;
  /** Further captures of each run, after that of `plan`; absent where there is an after side. */
  readonly also?: readonly AnyPlan[];
  /** Recorded in turn with `plan`, which is the before side then. Absent: `plan` alone. */
  readonly after?: AnyPlan;
}

export interface HostSeries {
  /** Of its captures. */
  readonly seriesId: string;
  /** Captures to make of each side, one after the other. */
  readonly repeat: number;
  /** Between two of them. */
  readonly pauseSeconds: number;
  /** Null: named after what is recorded. */
  readonly name: string | null;
  /** Its captures' names tell the host. */
  readonly tellsHost: boolean;
}

/** What was kept so far. */
export interface HostCaptures {
  /** In order. */
  readonly captures: readonly CaptureDocument[];
  /** Ids of those that are a command from its start to its end. */
  readonly wholeRuns: readonly string[];
  /** Ids of commands that were stopped before their end: no repeats of the others. */
  readonly cutRuns: readonly string[];
}

export interface HostResult extends HostCaptures {
  readonly error: EngineFailure | null;
}

export interface HostContext {
  readonly library: Pick<Library, 'create'>;
  readonly clock: Clock;
  /** Absent: what is started is not written down. */
  readonly journal: Pick<Journal, 'begin'> | undefined;
  readonly collector: (id: CollectorId) => AnyCollector;
}

/** The captures of one host, one after the other. */
export class HostRecorder {
  /** Never rejects. */
  readonly ended: Promise<HostResult>;
  readonly #host: RecordedHost;
  readonly #series: HostSeries;
  readonly #context: HostContext;
  readonly #onChange: () => void;
  readonly #onCapture: () => void;
  readonly #captures: CaptureDocument[] = [];
  readonly #wholeRuns: string[] = [];
  readonly #cutRuns: string[] = [];
  readonly #settle: (result: HostResult) => void;
  #status: HostRecording;
  #recording: Recording | null = null;
  #ask: 'stop' | 'cancel' | null = null;
  #endPause = (): void => {};
  /** The run that is under way gives way to its plan's fallback. */
  #switches = false;

  constructor(
    context: HostContext,
    host: RecordedHost,
    series: HostSeries,
    onChange: () => void,
    onCapture: () => void,
  ) {
    this.#context = context;
    this.#host = host;
    this.#series = series;
    this.#onChange = onChange;
    this.#onCapture = onCapture;
    this.#status = {
      target: host.targetId,
      host: host.target.host,
      captureId: '',
      state: 'preparing',
      elapsedMs: 0,
      samples: 0,
      lost: 0,
      bytes: 0,
      run: 0,
      runs: series.repeat * ((host.after === undefined ? 1 : 2) + (host.also?.length ?? 0)),
      messages: [],
      error: null,
    };
    const { promise, resolve } = Promise.withResolvers<HostResult>();
    this.ended = promise;
    this.#settle = resolve;
  }

  get status(): HostRecording {
    return this.#status;
  }

  get kept(): HostCaptures {
    return { captures: this.#captures, wholeRuns: this.#wholeRuns, cutRuns: this.#cutRuns };
  }

  /** Resolves when the first capture is in the library; the rest follows. Rejects, ended, where it can't be. */
  async begin(): Promise<void> {
    const { target, plan, after, also = [] } = this.#host;
    try {
      const [machine, ...subjects] = await Promise.all([
        readMachine(target),
        this.#subject(after === undefined ? null : 'before', plan),
        ...(after === undefined ? [] : [this.#subject('after', after)]),
        ...also.map((one) => this.#subject(null, one)),
      ]);
      const first = await this.#createCapture(0, subjects, machine);
      void this.#runAll(first, subjects, machine);
    } catch (cause) {
      this.#end('failed', toFailure(cause));
      throw cause;
    }
  }

  /** `stop` keeps the run that is under way, `cancel` discards it; either ends the series. */
  ask(ask: 'stop' | 'cancel'): void {
    if (this.#ask !== 'cancel') this.#ask = ask;
    this.#endPause();
    void this.#recording?.[ask]();
  }

  async #subject(side: Side | null, plan: AnyPlan): Promise<Subject> {
    const { target } = this.#host;
    const collector = this.#context.collector(plan.collector);
    const scope = collector.scope(plan.options);
    const process = scope?.kind === 'pid' ? await findProcess(target, scope.pid) : null;
    const cgroup =
      scope === null || scope.kind === 'system'
        ? null
        : await readCgroupLimits(target, scope.kind === 'pid' ? scope.pid : 'self');
    return { side, plan, collector, process, cgroup };
  }

  async #runAll(first: CaptureWriter, subjects: readonly Subject[], machine: Machine): Promise<void> {
    let writer = first;
    try {
      for (let run = 0; ; run++) {
        const subject = subjectOf(run, subjects);
        const outcome = await this.#record(writer, subject, machine.settings);
        if (outcome.state === 'cancelled' && this.#switches && this.#ask === null) {
          // The same run, from its beginning.
          switchToFallback(subjects);
          this.#switches = false;
          const { finding: _told, ...status } = this.#status;
          this.#status = { ...status, state: 'preparing', elapsedMs: 0, samples: 0, lost: 0, bytes: 0 };
          writer = await this.#createCapture(run--, subjects, machine);
          continue;
        }
        if (outcome.state === 'failed') throw failureOf(outcome);
        if (outcome.state === 'cancelled') this.#ask = 'cancel';
        if (run + 1 >= this.#status.runs || !(await this.#pause())) break;
        subject.plan = subject.collector.planNext(subject.plan, outcome);
        if (this.#status.finding !== undefined) switchToFallback(subjects);
        writer = await this.#createCapture(run + 1, subjects, machine);
      }
      this.#end(this.#ask === 'cancel' ? 'cancelled' : 'finished', null);
    } catch (cause) {
      this.#end('failed', toFailure(cause));
    }
  }

  #end(state: HostRecording['state'], error: EngineFailure | null): void {
    this.#update({ state, error: error === null ? null : oneLine(error) });
    this.#settle({ ...this.kept, error });
  }

  /** False where the series is to end. */
  async #pause(): Promise<boolean> {
    if (this.#ask !== null) return false;
    const { run } = this.#status;
    this.#update({ state: 'preparing', elapsedMs: 0, samples: 0, lost: 0, bytes: 0, run: run + 1 });
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#series.pauseSeconds * 1000);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    return this.#ask === null;
  }

  async #createCapture(run: number, subjects: readonly Subject[], machine: Machine): Promise<CaptureWriter> {
    const subject = subjectOf(run, subjects);
    const repetition = Math.floor(run / subjects.length);
    const place = { ...this.#series, run, runs: this.#status.runs, repetition };
    const writer = await this.#context.library.create(
      describeCapture(subject, place, this.#host.target, machine.facts),
    );
    this.#update({ captureId: writer.id, ...(subject.side === null ? {} : { side: subject.side }) });
    return writer;
  }

  async #record(writer: CaptureWriter, subject: Subject, settings: MachineSettings): Promise<RecordingOutcome> {
    const { plan, collector } = subject;
    const { clock } = this.#context;
    const isCommand = collector.scope(plan.options)?.kind === 'command';
    const before = await readLoad(this.#host.target);
    const entry = await this.#noteStart(writer);
    const recording = collector.start(entry?.target ?? this.#host.target, plan, writer, clock);
    this.#recording = recording;
    if (this.#ask !== null) void recording[this.#ask]();
    let known: RecordingProgress['state'] = 'preparing';
    recording.onProgress((progress) => {
      if (progress.state === 'recording' && known !== 'recording') {
        // What is said again at the end is not worth failing for.
        void writer.update({ state: 'recording', startedAt: clock.now() }).catch(() => undefined);
      }
      known = progress.state;
      // A command goes on to its end: it is never run merely to find out. Its next run has whole stacks.
      if (progress.finding !== undefined && this.#status.finding === undefined && !isCommand) {
        this.#switchOver(plan, recording);
      }
      // The last word comes when the capture has been written.
      const ending = progress.state === 'finished' || progress.state === 'failed' || progress.state === 'cancelled';
      this.#update({ ...progress, state: ending ? 'stopping' : progress.state, messages: [...progress.messages] });
    });
    const outcome = await recording.outcome;
    await entry?.end(isKnown(outcome));
    if (outcome.state === 'finished') {
      // A host that can't be reached any more is not asked.
      const after = isKnown(outcome) ? await readLoad(this.#host.target) : NO_LOAD;
      const circumstances = describeCircumstances(settings, subject, before, after);
      this.#captures.push(await writer.finish({ ...describeOutcome(outcome, writer.document), ...circumstances }));
      if (isCommand && plan.options.seconds === null)
        (this.#ask === null && !outcome.incomplete ? this.#wholeRuns : this.#cutRuns).push(writer.id);
      this.#onCapture();
    } else await writer.discard();
    return outcome;
  }

  async #noteStart(writer: CaptureWriter): Promise<JournalEntry | undefined> {
    try {
      return await this.#context.journal?.begin(this.#host.targetId, this.#host.target);
    } catch (error) {
      await writer.discard();
      throw error;
    }
  }

  #switchOver(plan: AnyPlan, recording: Recording): void {
    if (plan.fallback === undefined || this.#ask !== null) return;
    this.#switches = true;
    void recording.cancel();
  }

  #update(changes: Partial<HostRecording>): void {
    this.#status = { ...this.#status, ...changes };
    this.#onChange();
  }
}

/** Both sides of a comparison alike. */
function switchToFallback(subjects: readonly Subject[]): void {
  for (const subject of subjects) subject.plan = subject.plan.fallback ?? subject.plan;
}

/** What is found out of a host once, for all runs of a series. */
interface Machine {
  readonly facts: MachineFacts;
  readonly settings: MachineSettings;
}

async function readMachine(target: Target): Promise<Machine> {
  const [facts, settings] = await Promise.all([readMachineFacts(target), readMachineSettings(target)]);
  return { facts, settings };
}

/** Whether it is known how it ended: not where the link was lost. */
const isKnown = ({ exit, error }: RecordingOutcome): boolean =>
  exit === null ? error?.code !== 'internal' : exit.code !== null || exit.signal !== null;

/** Sides take turns, so that what drifts on the machine touches both alike. */
const subjectOf = (run: number, subjects: readonly Subject[]): Subject => subjects[run % subjects.length]!;

function failureOf({ error }: RecordingOutcome): EngineFailure {
  if (error === null) return new EngineFailure('capture-failed', 'The recording failed.');
  return new EngineFailure(error.code, error.message, error.remedy);
}

export const oneLine = ({ message, remedy }: EngineFailure): string =>
  remedy === null ? message : `${message}; ${remedy}`;

export function toFailure(cause: unknown): EngineFailure {
  return (
    toEngineFailure(cause) ?? new EngineFailure('internal', cause instanceof Error ? cause.message : String(cause))
  );
}
