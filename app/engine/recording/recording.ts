import { randomBytes } from 'node:crypto';
import type { CaptureDocument, HostRecording, RecordingStatus } from '#core/contract/schemas.ts';
import type { Side } from '#core/contract/side.ts';
import { SYSTEM_CLOCK } from '#collectors/system-clock.ts';
import type { Clock } from '#collectors/collector.ts';
import { collectors, collectorsWith } from '#collectors/registry.ts';
import type { OutputWatcher, ProgramStreams } from '#collectors/target/launched-program.ts';
import type { ProcessExit } from '#collectors/target/target.ts';
import { EngineFailure } from '../failure.ts';
import {
  HostRecorder,
  type HostContext,
  failureLine,
  recordingFailure,
  type HostResult,
  type HostSeries,
  type RecordedHost,
} from './host-recording.ts';
import type { GrowingRun } from './growing-run.ts';
import type { Library } from '../library/library.ts';
import { percent } from './overhead.ts';

export interface RecordingRequest extends Pick<HostSeries, 'repeat' | 'pauseSeconds' | 'name'> {
  /** Number of hosts that record at the same time, the next when all of these have ended. Absent: all at once. */
  readonly wave?: number | undefined;
  /** Share of a host's CPU time, 0 to 1, beyond which its recording ends and keeps, and no wave follows. Absent: any. */
  readonly maxOverhead?: number | undefined;
  /** At least one. Hosts record concurrently; a failure on one does not affect the others. */
  readonly hosts: readonly RecordedHost[];
  /** The experiment for the captures: one side of it, or both if two sides are recorded alternately. */
  readonly into?: { readonly experimentId: string; readonly side: Side } | undefined;
}

/** Captures of the library as the two sides of a comparison. */
export interface RecordedSides {
  /** The experiment to which they are added; null creates a new one. */
  readonly experimentId: string | null;
  /** Null derives the name from the captures' names. */
  readonly name: string | null;
  readonly before: readonly CaptureDocument[];
  readonly after: readonly CaptureDocument[];
  /** IDs of captures that cover a command from its start to its end; each did the same work once. */
  readonly wholeRuns: readonly string[];
}

export interface RecordingContext {
  readonly library: Pick<Library, 'create'>;
  /**
   * Resolves with the experiment's ID. Called for captures as they are finished, once each, so that all complete
   * captures are in an experiment however the recording ends. Required if two sides or several hosts are recorded, or
   * with `into`.
   */
  readonly keepSides?: (sides: RecordedSides) => Promise<string>;
  readonly clock?: Clock;
  /** Journal of started processes, written before each start. */
  readonly journal?: HostContext['journal'];
  /** Streams of the launched programs; if absent, their output is in the messages. */
  readonly streams?: ProgramStreams;
  /** Makes a watcher of one program on a target; without `streams`. */
  readonly watchOutput?: (targetId: string) => OutputWatcher;
  /** Absent: collectors without services of the engine. */
  readonly collector?: HostContext['collector'];
}

/** A recording, or a series of them on each host, into the library. */
export interface RecordingSession {
  readonly id: string;
  readonly status: RecordingStatus;
  /** Called at each change and about twice a second. */
  onStatus(listener: (status: RecordingStatus) => void): void;
  /** See {@link Recorder.growing}. */
  growing(): GrowingRun;
  /** Ends the series and keeps its data. Idempotent; resolves when everything is written. */
  stop(): Promise<RecordingStatus>;
  /** Ends the series and discards the current runs; finished runs stay. Idempotent. */
  cancel(): Promise<RecordingStatus>;
  /** Never rejects. */
  readonly ended: Promise<RecordingResult>;
}

export interface RecordingResult {
  /** The captures kept, by host, in order. */
  readonly captures: readonly CaptureDocument[];
  /**
   * The experiment of `into`; or a new one, if two sides were recorded and both have a capture, or if several hosts
   * were recorded, whose captures form the before side. A command stopped before its end is kept, but is not in an
   * experiment.
   */
  readonly experimentId: string | null;
  readonly status: RecordingStatus;
  /** How the program of the last run ended on the first host; null if none was launched or its end is unknown. */
  readonly programExit: ProcessExit | null;
  /** Also set if only some hosts failed. */
  readonly error: EngineFailure | null;
}

/**
 * Starts a recording. Rejects with an `EngineFailure` if it cannot start on any host, for example if the library
 * accepts no capture or no host answers.
 */
export async function startRecording(context: RecordingContext, request: RecordingRequest): Promise<RecordingSession> {
  if (request.into !== undefined && hasSeveralKinds(request)) {
    throw new EngineFailure(
      'several-kinds',
      'A side of an experiment holds one kind of profile: others can’t be compared with it.',
      'Record one kind for it.',
    );
  }
  const startsProgram = ({ plan }: RecordedHost): boolean =>
    collectors[plan.collector].scope(plan.options)?.kind === 'command';
  if (request.maxOverhead !== undefined && request.hosts.some(startsProgram)) {
    throw new EngineFailure(
      'usage',
      'The overhead is watched for running processes only.',
      'A program that Flamebench starts would count as its overhead: leave the limit out.',
    );
  }
  const session = new RunningRecording(context, request);
  await session.begin();
  return session;
}

const hasSeveralKinds = ({ hosts }: RecordingRequest): boolean => hosts.some(({ also = [] }) => also.length > 0);

class RunningRecording implements RecordingSession {
  readonly id = randomBytes(8).toString('hex');
  readonly ended: Promise<RecordingResult>;
  readonly #context: RecordingContext;
  readonly #request: RecordingRequest;
  readonly #hosts: readonly HostRecorder[];
  readonly #listeners = new Set<(status: RecordingStatus) => void>();
  /** IDs of captures that are in the experiment. */
  readonly #inExperiment = new Set<string>();
  #experimentId: string | null = null;
  #isAsked = false;
  #keeping: Promise<unknown> = Promise.resolve();
  #toldStates = '';
  #timer: NodeJS.Timeout | undefined;
  /** Null until all hosts have ended and everything is kept. */
  #end: Pick<RecordingStatus, 'state' | 'error' | 'experimentId'> | null = null;

  constructor(context: RecordingContext, request: RecordingRequest) {
    const { library, clock = SYSTEM_CLOCK, journal, collector = collectorsWith({}), streams, watchOutput } = context;
    const { hosts, repeat, pauseSeconds, name, maxOverhead = null } = request;
    this.#context = context;
    this.#request = request;
    this.#hosts = hosts.map((host, index) => {
      const seriesId = hosts.length === 1 ? this.id : `${this.id}-${index + 1}`;
      const tellsHost = hosts.length > 1 || (host.target.kind !== 'local' && name === null);
      const series = { seriesId, repeat, pauseSeconds, name, tellsHost, maxOverhead };
      const onCapture = (): void => {
        // A failure is retried with the next capture, and at the end.
        void this.#keepSides().catch(() => undefined);
      };
      return new HostRecorder(
        { library, clock, journal, collector, streams, watchOutput },
        host,
        series,
        () => this.#onHostChange(),
        onCapture,
      );
    });
    this.ended = this.#conclude();
  }

  get status(): RecordingStatus {
    const hosts = this.#hosts.map(({ status }) => status);
    return { recordingId: this.id, ...joinHosts(hosts), ...this.#end };
  }

  onStatus(listener: (status: RecordingStatus) => void): void {
    this.#listeners.add(listener);
    listener(this.status);
  }

  growing(): GrowingRun {
    const { state, noGraphYet } = this.status;
    const run = this.#hosts[0]?.growing ?? null;
    if (run !== null && noGraphYet === undefined && state === 'recording') return run;
    const reason = noGraphYet ?? `the recording is ${state}`;
    throw new EngineFailure('no-graph-yet', `No graph yet: ${reason}.`, 'It opens when the recording ends.');
  }

  stop(): Promise<RecordingStatus> {
    return this.#ask('stop');
  }

  cancel(): Promise<RecordingStatus> {
    return this.#ask('cancel');
  }

  /** Resolves when the first capture of each host of the first wave that has one is in the library; the rest follows. */
  async begin(): Promise<void> {
    const size = this.#request.wave ?? this.#hosts.length;
    const first = this.#hosts.slice(0, size);
    const begun = await Promise.allSettled(first.map((host) => host.begin()));
    void this.#beginRest(first, size);
    if (begun.some(({ status }) => status === 'fulfilled')) return;
    for (const result of begun) if (result.status === 'rejected') throw result.reason;
  }

  /** Begins further waves, each when the one before has ended, until there is a reason against it. */
  async #beginRest(first: readonly HostRecorder[], size: number): Promise<void> {
    let before = first;
    for (let at = size; at < this.#hosts.length; at += size) {
      const wave = this.#hosts.slice(at, at + size);
      await Promise.all(before.map(({ ended }) => ended));
      const why = this.#whyNot(before);
      if (why === null) await Promise.allSettled(wave.map((host) => host.begin()));
      else for (const host of wave) host.leaveOut(why);
      if (why === null) before = wave;
    }
  }

  /** Returns why no wave begins after this one; null if one does. */
  #whyNot(before: readonly HostRecorder[]): string | null {
    if (this.#isAsked) return 'the recording was ended before its turn';
    const over = before.find(({ exceeded }) => exceeded !== null);
    if (over !== undefined)
      return `the recording used ${percent(over.exceeded!)} of the CPU time of ${over.status.host}, more than ${percent(this.#request.maxOverhead!)}`;
    return before.every(({ status }) => status.state === 'failed') ? 'all hosts of the wave before it failed' : null;
  }

  async #ask(ask: 'stop' | 'cancel'): Promise<RecordingStatus> {
    this.#isAsked = true;
    for (const host of this.#hosts) host.ask(ask);
    return (await this.ended).status;
  }

  async #conclude(): Promise<RecordingResult> {
    const results = await Promise.all(this.#hosts.map(({ ended }) => ended));
    const captures = results.flatMap((result) => result.captures);
    let error = this.#failureOf(results);
    let state = finalState(this.#hosts.map(({ status }) => status));
    const experimentId = await this.#keepSides().catch((cause: unknown) => {
      state = 'failed';
      error ??= recordingFailure(cause);
      return null;
    });
    this.#end = {
      state,
      error: error === null ? null : failureLine(error),
      ...(experimentId === null ? {} : { experimentId }),
    };
    this.#announce();
    this.#listeners.clear();
    return { captures, experimentId, status: this.status, programExit: results[0]?.programExit ?? null, error };
  }

  #failureOf(results: readonly HostResult[]): EngineFailure | null {
    const failures = results.flatMap(({ error }, index) =>
      error === null ? [] : [{ host: this.#request.hosts[index]!.target.host, error }],
    );
    const [first] = failures;
    if (first === undefined || results.length === 1) return first?.error ?? null;
    const which = failures.map(({ host, error }) => `${host}: ${error.message}`).join('; ');
    return new EngineFailure(
      'some-hosts-failed',
      `${failures.length} of ${results.length} hosts failed: ${which}`,
      first.error.remedy,
    );
  }

  /** Calls run one after another. Resolves with the experiment's ID; null if there is none. */
  #keepSides(): Promise<string | null> {
    const kept = this.#keeping.then(() => this.#keepNew());
    this.#keeping = kept.catch(() => undefined);
    return kept;
  }

  async #keepNew(): Promise<string | null> {
    const { keepSides } = this.#context;
    const { name, into, hosts } = this.#request;
    const kept = this.#hosts.map((host) => host.kept);
    const cut = new Set(kept.flatMap(({ cutRuns }) => cutRuns));
    const found = kept
      .flatMap(({ captures }) => captures)
      .filter(({ id }) => !cut.has(id) && !this.#inExperiment.has(id));
    const isInTurn = hosts.some(({ after }) => after !== undefined);
    const ownSide = into?.side ?? (hosts.length > 1 && !hasSeveralKinds(this.#request) ? 'before' : null);
    const of = (side: Side): CaptureDocument[] => found.filter(({ series }) => (series?.side ?? ownSide) === side);
    const [before, after] = [of('before'), of('after')];
    const experimentId = this.#experimentId ?? into?.experimentId ?? null;
    const isEmpty =
      experimentId === null && isInTurn
        ? before.length === 0 || after.length === 0
        : before.length + after.length === 0;
    if (keepSides === undefined || isEmpty) return this.#experimentId;
    const wholeRuns = kept.flatMap((host) => host.wholeRuns);
    this.#experimentId = await keepSides({ experimentId, name, before, after, wholeRuns });
    for (const { id } of [...before, ...after]) this.#inExperiment.add(id);
    return this.#experimentId;
  }

  /** Reports one host's progress immediately. With several hosts, progress is combined, except for changes of state. */
  #onHostChange(): void {
    const states = this.#hosts.map(({ status }) => `${status.state} ${status.run}`).join();
    const isProgress = this.#hosts.length > 1 && states === this.#toldStates;
    this.#toldStates = states;
    if (isProgress) this.#timer ??= setTimeout(() => this.#announce(), GATHER_MS);
    else this.#announce();
  }

  #announce(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { status } = this;
    for (const listener of this.#listeners) listener(status);
  }
}

/** Time in ms for which progress is combined; every host reports more than twice a second. */
const GATHER_MS = 200;

const isOver = ({ state }: HostRecording): boolean =>
  state === 'finished' || state === 'failed' || state === 'cancelled';

/** Number of the newest lines kept for a recording on several hosts. */
const MAX_LINES = 100;

/** Combines the hosts' status; `stopping` from when all have ended until the final status. */
function joinHosts(hosts: readonly HostRecording[]): Omit<RecordingStatus, 'recordingId' | 'experimentId'> {
  const [first] = hosts as readonly [HostRecording, ...HostRecording[]];
  const sum = (value: (host: HostRecording) => number): number => hosts.reduce((total, host) => total + value(host), 0);
  const current = hosts.find((host) => !isOver(host)) ?? hosts.find(({ state }) => state === 'finished') ?? first;
  const noGraphYet = hosts.length > 1 ? 'it runs on several hosts' : first.noGraphYet;
  const finding = hosts.find((host) => host.finding !== undefined)?.finding;
  return {
    captureId: current.captureId || (hosts.find(({ captureId }) => captureId !== '')?.captureId ?? ''),
    state: joinStates(hosts),
    elapsedMs: Math.max(...hosts.map(({ elapsedMs }) => elapsedMs)),
    samples: sum(({ samples }) => samples),
    lost: sum(({ lost }) => lost),
    bytes: sum(({ bytes }) => bytes),
    run: current.run,
    runs: first.runs,
    ...(current.side === undefined ? {} : { side: current.side }),
    messages: hosts.length === 1 ? first.messages : hosts.flatMap((host) => newestLines(host, hosts.length)),
    ...(finding === undefined ? {} : { finding }),
    ...(noGraphYet === undefined ? {} : { noGraphYet }),
    error: null,
    hosts: [...hosts],
  };
}

function joinStates(hosts: readonly HostRecording[]): RecordingStatus['state'] {
  if (hosts.some(({ state }) => state === 'recording')) return 'recording';
  return hosts.some(({ state }) => state === 'preparing') ? 'preparing' : 'stopping';
}

function finalState(hosts: readonly HostRecording[]): RecordingStatus['state'] {
  if (hosts.some(({ state }) => state === 'cancelled')) return 'cancelled';
  return hosts.some(({ state }) => state === 'finished') ? 'finished' : 'failed';
}

const newestLines = ({ host, messages }: HostRecording, hosts: number): string[] =>
  messages.slice(-Math.max(1, Math.floor(MAX_LINES / hosts))).map((line) => `${host}: ${line}`);
