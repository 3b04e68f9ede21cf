import type { CaptureDocument, CollectorId, HostRecording, Scope } from '#core/contract/schemas.ts';
import type { Side } from '#core/contract/side.ts';
import { messageOf } from '#core/model/failure.ts';
import type {
  Clock,
  AnyCollector,
  AnyPlan,
  Recording,
  RecordingOutcome,
  RecordingProgress,
} from '#collectors/collector.ts';
import { readThrottling, throttlingBetween } from '#collectors/target/cgroup-limits.ts';
import { NO_LOAD, readLoad, readMachineSettings, type MachineSettings } from '#collectors/target/circumstances.ts';
import { readMachineFacts, UNKNOWN_MACHINE, type MachineFacts } from '#collectors/target/machine-facts.ts';
import type { OutputWatcher, ProgramStreams } from '#collectors/target/launched-program.ts';
import { readContainer } from '#collectors/target/container-facts.ts';
import type { ProcessExit, Target } from '#collectors/target/target.ts';
import { EngineFailure, toEngineFailure } from '../failure.ts';
import type { CaptureWriter } from '../library/captures/writer.ts';
import type { GrowingRun } from './growing-run.ts';
import type { Library } from '../library/library.ts';
import type { Journal, JournalEntry } from '../targets/journal.ts';
import { describeExceeded, watchOverhead } from './overhead.ts';
import { describeCapture, describeCircumstances, describeOutcome, describeThrottling } from './recorded-capture.ts';
import { findSubject, subjectOf, switchToFallback, type RecordedSubject } from './recorded-subject.ts';

/** What is recorded on one target. */
export interface RecordedHost {
  readonly targetId: string;
  readonly target: Target;
  readonly plan: AnyPlan;
  /** Further captures of each run, after that of `plan`; absent if there is an after side. */
  readonly also?: readonly AnyPlan[];
  /** Recorded alternately with `plan`, which is then the before side. If absent, only `plan` is recorded. */
  readonly after?: AnyPlan;
}

export interface HostSeries {
  /** The series of its captures. */
  readonly seriesId: string;
  /** Number of captures of each side, one after another. */
  readonly repeat: number;
  /** Pause between two captures, in seconds. */
  readonly pauseSeconds: number;
  /** Null names captures after what is recorded. */
  readonly name: string | null;
  /** True if the captures' names include the host. */
  readonly tellsHost: boolean;
  /** Share of the host's CPU time, 0 to 1, beyond which recording ends and keeps; null if it is not watched. */
  readonly maxOverhead: number | null;
}

/** The captures kept so far. */
interface HostCaptures {
  /** Ordered by recording time. */
  readonly captures: readonly CaptureDocument[];
  /** IDs of captures that cover a command from its start to its end. */
  readonly wholeRuns: readonly string[];
  /** IDs of captures whose command was stopped before its end; they are not comparable with the others. */
  readonly cutRuns: readonly string[];
}

export interface HostResult extends HostCaptures {
  /** How the program of the last run ended; null if none was launched or its end is unknown. */
  readonly programExit: ProcessExit | null;
  readonly error: EngineFailure | null;
}

export interface HostContext {
  readonly library: Pick<Library, 'create'>;
  readonly clock: Clock;
  /** If absent, started processes are not recorded. */
  readonly journal: Pick<Journal, 'begin'> | undefined;
  readonly collector: (id: CollectorId) => AnyCollector;
  /** Streams of the launched programs; if undefined, their output is in the messages. */
  readonly streams: ProgramStreams | undefined;
  readonly watchOutput: ((targetId: string) => OutputWatcher) | undefined;
}

/** What a run has before its collector begins. */
const NOTHING_YET = { state: 'preparing', elapsedMs: 0, samples: 0, lost: 0, bytes: 0 } as const;

/** Records the captures of one host, one after another. */
export class HostRecorder {
  readonly #settled = Promise.withResolvers<HostResult>();
  /** Never rejects. */
  readonly ended = this.#settled.promise;
  readonly #host: RecordedHost;
  readonly #series: HostSeries;
  readonly #context: HostContext;
  readonly #onChange: () => void;
  readonly #onCapture: () => void;
  readonly #captures: CaptureDocument[] = [];
  readonly #wholeRuns: string[] = [];
  readonly #cutRuns: string[] = [];
  #status: HostRecording;
  #recording: Recording | null = null;
  #growing: GrowingRun | null = null;
  #ask: 'stop' | 'cancel' | null = null;
  #endPause = (): void => {};
  /** True if the current run is being replaced by its plan's fallback. */
  #switches = false;
  #programExit: ProcessExit | null = null;
  #machine: Machine | null = null;
  #exceeded: number | null = null;

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
      ...NOTHING_YET,
      run: 0,
      runs: series.repeat * ((host.after === undefined ? 1 : 2) + (host.also?.length ?? 0)),
      messages: [],
      error: null,
    };
  }

  get status(): HostRecording {
    return this.#status;
  }

  /** The share of the host's CPU time that was more than allowed, 0 to 1; null if none was. */
  get exceeded(): number | null {
    return this.#exceeded;
  }

  /** What a live view of the current run reads; null if nothing can be read before its end. */
  get growing(): GrowingRun | null {
    return this.#growing;
  }

  get kept(): HostCaptures {
    return { captures: this.#captures, wholeRuns: this.#wholeRuns, cutRuns: this.#cutRuns };
  }

  /**
   * Resolves when the first capture is in the library; the rest follows. Rejects, with everything ended, if there
   * cannot be one.
   */
  async begin(): Promise<void> {
    const { target, plan, after, also = [] } = this.#host;
    const find = (side: Side | null, of: AnyPlan): Promise<RecordedSubject> =>
      findSubject(target, this.#context.collector(of.collector), side, of);
    try {
      const subjects = await Promise.all([
        find(after === undefined ? null : 'before', plan),
        ...(after === undefined ? [] : [find('after', after)]),
        ...also.map((one) => find(null, one)),
      ]);
      const first = await this.#createCapture(0, subjects);
      void this.#runAll(first, subjects);
    } catch (cause) {
      this.#end('failed', recordingFailure(cause));
      throw cause;
    }
  }

  /** Ends before it has begun. */
  leaveOut(why: string): void {
    this.#end('failed', new EngineFailure('not-recorded', `not recorded: ${why}`));
  }

  /** `stop` keeps the current run, `cancel` discards it; both end the series. */
  ask(ask: 'stop' | 'cancel'): void {
    if (this.#ask !== 'cancel') this.#ask = ask;
    this.#endPause();
    void this.#recording?.[ask]();
  }

  async #runAll(first: CaptureWriter, subjects: readonly RecordedSubject[]): Promise<void> {
    let writer = first;
    try {
      for (let run = 0; ; run++) {
        const subject = subjectOf(run, subjects);
        const outcome = await this.#record(writer, subject);
        if (outcome.state === 'cancelled' && this.#switches && this.#ask === null) {
          // Starts the same run again from its beginning.
          switchToFallback(subjects);
          this.#switches = false;
          const { finding: _told, ...status } = this.#status;
          this.#status = { ...status, ...NOTHING_YET };
          writer = await this.#createCapture(run--, subjects);
          continue;
        }
        if (outcome.state === 'failed') throw failureOf(outcome);
        if (outcome.state === 'cancelled') this.#ask = 'cancel';
        if (run + 1 >= this.#status.runs || !(await this.#pause())) break;
        subject.plan = subject.collector.planNext?.(subject.plan, outcome) ?? subject.plan;
        if (this.#status.finding !== undefined) switchToFallback(subjects);
        writer = await this.#createCapture(run + 1, subjects);
      }
      this.#end(this.#ask === 'cancel' ? 'cancelled' : 'finished', null);
    } catch (cause) {
      this.#end('failed', recordingFailure(cause));
    }
  }

  #end(state: HostRecording['state'], error: EngineFailure | null): void {
    this.#update({ state, error: error === null ? null : failureLine(error) });
    this.#settled.resolve({ ...this.kept, error, programExit: this.#programExit });
  }

  /** Returns false if the series should end. */
  async #pause(): Promise<boolean> {
    if (this.#ask !== null) return false;
    this.#update({ ...NOTHING_YET, run: this.#status.run + 1 });
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#series.pauseSeconds * 1000);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    return this.#ask === null;
  }

  async #createCapture(run: number, subjects: readonly RecordedSubject[]): Promise<CaptureWriter> {
    const subject = subjectOf(run, subjects);
    const repetition = Math.floor(run / subjects.length);
    const place = { ...this.#series, run, runs: this.#status.runs, repetition };
    const writer = await this.#context.library.create(
      describeCapture(subject, place, this.#host.target, UNKNOWN_MACHINE),
    );
    this.#update({ captureId: writer.id, ...(subject.side === null ? {} : { side: subject.side }) });
    return writer;
  }

  async #record(writer: CaptureWriter, subject: RecordedSubject): Promise<RecordingOutcome> {
    const { plan, collector } = subject;
    const { clock, watchOutput } = this.#context;
    const streams = this.#context.streams ?? watchOutput?.(this.#host.targetId);
    const isCommand = collector.scope(plan.options)?.kind === 'command';
    const { target } = this.#host;
    // Not awaited, so that the collector starts immediately.
    const waitedBefore = readThrottling(target, subject.groups);
    const [before, entry] = await Promise.all([readLoad(target), this.#noteStart(writer)]);
    const { maxOverhead } = this.#series;
    const started = entry?.target ?? target;
    const cpus = async (): Promise<number | null> => (await this.#machine!.facts).cpuCount;
    const overhead =
      maxOverhead === null
        ? null
        : watchOverhead(started, cpus, maxOverhead, (share) => {
            this.#exceeded = share;
            this.ask('stop');
          });
    const recording = collector.start(overhead?.target ?? started, plan, writer, clock, streams);
    this.#recording = recording;
    this.#noteGrowth(writer.folder, subject, recording);
    // Read after the collector has started, while it records.
    const machine = (this.#machine ??= readMachine(this.#host.target));
    const noted = Promise.all([
      machine.facts.then((facts) => noteMachine(writer, facts)),
      noteContainer(writer, target, collector.scope(plan.options)),
    ]);
    if (this.#ask !== null) void recording[this.#ask]();
    let known: RecordingProgress['state'] = 'preparing';
    recording.onProgress((progress) => {
      if (progress.state === 'recording' && known !== 'recording') {
        // The same is written at the end, so a failure here is ignored.
        void writer.update({ state: 'recording', startedAt: clock.now() }).catch(() => undefined);
      }
      known = progress.state;
      // A command runs to its end and is never run just to find out; its next run has whole stacks.
      if (progress.finding !== undefined && this.#status.finding === undefined && !isCommand) {
        this.#switchOver(plan, recording);
      }
      // The final status is reported after the capture has been written.
      const ending = progress.state === 'finished' || progress.state === 'failed' || progress.state === 'cancelled';
      this.#update({ ...progress, state: ending ? 'stopping' : progress.state, messages: [...progress.messages] });
    });
    const outcome = await recording.outcome;
    const overheadShare = overhead?.end();
    await entry?.end(isKnown(outcome));
    this.#programExit = isCommand ? outcome.exit : null;
    if (outcome.state === 'finished') {
      // An unreachable host is not asked again.
      const after = isKnown(outcome) ? await readLoad(this.#host.target) : NO_LOAD;
      await noted;
      const throttled = isKnown(outcome)
        ? throttlingBetween(await waitedBefore, await readThrottling(target, subject.groups))
        : null;
      const load = { start: before, end: after };
      const circumstances = describeCircumstances(await machine.settings, subject, load, throttled, overheadShare);
      const described = describeOutcome(outcome, writer.document);
      const diagnostics = [
        ...described.diagnostics,
        ...describeThrottling(throttled, subject.cgroup),
        ...(this.#exceeded === null ? [] : [describeExceeded(this.#exceeded, maxOverhead!)]),
      ];
      this.#captures.push(await writer.finish({ ...described, ...circumstances, diagnostics }));
      if (isCommand && plan.options.seconds === null)
        (this.#ask === null && !outcome.incomplete ? this.#wholeRuns : this.#cutRuns).push(writer.id);
      this.#onCapture();
    } else await writer.discard();
    return outcome;
  }

  #noteGrowth(folder: string, { plan, collector }: RecordedSubject, recording: Recording): void {
    const { targetId, target } = this.#host;
    const growing = this.#status.runs > 1 ? { refusal: 'it has several runs' } : collector.live.growing(plan);
    if ('refusal' in growing) this.#update({ noGraphYet: growing.refusal });
    else this.#growing = { targetId, target, collector, plan, folder, fileName: growing.fileName, recording };
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

/** Facts about a host that are read once, for all runs of a series. They never reject. */
interface Machine {
  readonly facts: Promise<MachineFacts>;
  readonly settings: Promise<MachineSettings>;
}

const readMachine = (target: Target): Machine => ({
  facts: readMachineFacts(target),
  settings: readMachineSettings(target),
});

/** Adds facts about the machine. Failures are ignored, since a capture that can't be written fails elsewhere. */
async function noteMachine(writer: CaptureWriter, facts: MachineFacts): Promise<void> {
  const { target } = writer.document;
  if (target !== null) await writer.update({ target: { ...target, ...facts } }).catch(() => undefined);
}

/** Adds facts about the container; missing if it has ended or its runtime does not answer. */
async function noteContainer(writer: CaptureWriter, target: Target, scope: Scope | null): Promise<void> {
  if (scope?.kind !== 'pid' && scope?.kind !== 'cgroup') return;
  const container = await readContainer(target, scope).catch(() => null);
  if (container !== null) await writer.update({ container }).catch(() => undefined);
}

/** Returns whether it is known how a recording ended; it is not if the link was lost. */
const isKnown = ({ exit, error }: RecordingOutcome): boolean =>
  exit === null ? error?.code !== 'internal' : exit.code !== null || exit.signal !== null;

function failureOf({ error }: RecordingOutcome): EngineFailure {
  if (error === null) return new EngineFailure('capture-failed', 'The recording failed.');
  return new EngineFailure(error.code, error.message, error.remedy);
}

export const failureLine = ({ message, remedy }: EngineFailure): string =>
  remedy === null ? message : `${message}; ${remedy}`;

export function recordingFailure(cause: unknown): EngineFailure {
  return toEngineFailure(cause) ?? new EngineFailure('internal', messageOf(cause));
}
