import type { NodeOptions } from '#core/contract/node.ts';
import type { Check, PerfOptions } from '#core/contract/schemas.ts';
import { captureQuality } from '#core/model/capture-quality.ts';
import { diagnostic, type Diagnostic } from '#core/model/diagnostics.ts';
import { joinEvents } from '#core/model/join-events.ts';
import { writeNative } from '#core/model/native/write.ts';
import type { Profile } from '#core/model/profile.ts';
import { checkOf } from '../check.ts';
import type {
  AnyCollector,
  AnyPlan,
  CaptureSink,
  Clock,
  Plan,
  Recording,
  RecordingOutcome,
  RecordingProgress,
} from '../collector.ts';
import { chunksOf } from '../live/chunks-of.ts';
import { perfCollector } from '../perf/collector.ts';
import { onMonotonicClock } from '../perf/plan.ts';
import { RecordingBase, type Ask } from '../recording-base.ts';
import { toFailure } from '../recording-failure.ts';
import type { Target } from '../target/target.ts';
import { importKept } from '../trace-read-back.ts';
import { startNode } from './driver.ts';

const PERF: AnyCollector = perfCollector;

/** The capture's file that has the samples of both. */
export const JOINED_FILE = 'raw.joined.flamebench';

const RATE_HZ = 99;

/** Plans perf for the process that is recorded, without an end: it ends with the recording. */
export async function planBeside(
  target: Target,
  scope: NodeOptions['scope'],
): Promise<{ readonly checks: readonly Check[]; readonly beside: Plan<PerfOptions> | null }> {
  const [own, other] = await target.readLinks(['/proc/self/ns/time', `/proc/${scope.pid}/ns/time`]);
  if (typeof own === 'string' && typeof other === 'string' && own !== other)
    return { checks: [OTHER_CLOCK], beside: null };
  const options = { collector: 'perf', scope, rateHz: RATE_HZ, event: null, callGraph: 'fp', seconds: null } as const;
  const { checks, plan } = await perfCollector.preflight(target, options);
  return { checks, beside: plan === null ? null : onMonotonicClock(plan) };
}

const OTHER_CLOCK: Check = checkOf(
  'clock',
  'failed',
  'the process has its own time namespace, so its times are not perf’s',
  'record it without --with perf',
);

/** Starts perf, then the recording of the process; perf ends when that does. Failures are reported by the outcome. */
export const startWithPerf = (
  target: Target,
  plan: Plan<NodeOptions>,
  beside: AnyPlan,
  sink: CaptureSink,
  clock: Clock,
): Recording => new PairRecording(target, plan, beside, sink, clock);

const NO_COUNTS: Omit<RecordingProgress, 'state' | 'elapsedMs'> = { samples: 0, lost: 0, bytes: 0, messages: [] };

class PairRecording extends RecordingBase {
  readonly #target: Target;
  readonly #plan: Plan<NodeOptions>;
  readonly #beside: AnyPlan;
  readonly #sink: CaptureSink;
  #native: Recording | null = null;
  #node: Recording | null = null;
  #isNativeRunning = true;
  #counts = [NO_COUNTS, NO_COUNTS];

  constructor(target: Target, plan: Plan<NodeOptions>, beside: AnyPlan, sink: CaptureSink, clock: Clock) {
    super(clock);
    this.#target = target;
    this.#plan = plan;
    this.#beside = beside;
    this.#sink = sink;
  }

  protected async record(): Promise<RecordingOutcome> {
    const native = (this.#native = PERF.start(this.#target, this.#beside, this.#sink, this.clock));
    const begun = Promise.withResolvers<void>();
    native.onProgress((progress) => {
      this.#counts[0] = progress;
      this.#isNativeRunning = progress.state === 'preparing' || progress.state === 'recording';
      if (progress.state === 'recording') begun.resolve();
    });
    await Promise.race([begun.promise, native.outcome]);
    if (this.ask !== null) return native.outcome;
    const node = (this.#node = startNode(this.#target, this.#plan, this.#sink, this.clock));
    node.onProgress((progress) => {
      this.#counts[1] = progress;
      if (progress.state === 'recording' && this.startedAt === null) this.markBegin(null);
      if (progress.state === 'stopping') {
        this.markEnd();
        this.#stopNative();
      }
    });
    const outcome = await node.outcome;
    const hasBegun = outcome.startedAt !== null;
    if (outcome.state === 'cancelled' || !hasBegun) await native.cancel();
    else this.#stopNative();
    return this.#conclude(outcome, await native.outcome);
  }

  /** A perf that has ended itself tells why. */
  #stopNative(): void {
    if (this.#isNativeRunning) void this.#native?.stop();
  }

  protected end(ask: Ask): void {
    void (this.#node ?? this.#native)?.[ask]();
  }

  protected counts() {
    const [native, node] = this.#counts as [typeof NO_COUNTS, typeof NO_COUNTS];
    return {
      samples: native.samples + node.samples,
      lost: native.lost,
      bytes: native.bytes + node.bytes,
      messages: [...native.messages, ...node.messages],
    };
  }

  async #conclude(node: RecordingOutcome, native: RecordingOutcome): Promise<RecordingOutcome> {
    const hasNative = native.state === 'finished' && native.samples > 0;
    if (node.state === 'finished' && hasNative)
      return this.#join(node, native).catch((error: unknown) => notJoined(node, native, error));
    if (node.state === 'finished') {
      const why = native.error?.message ?? 'it took no samples';
      return { ...node, diagnostics: [...node.diagnostics, missing('perf', why, native.error?.remedy ?? null)] };
    }
    if (node.startedAt === null || node.error === null || !hasNative) return node;
    const { message, remedy } = node.error;
    return { ...native, incomplete: true, diagnostics: [missing('node', message, remedy), ...native.diagnostics] };
  }

  async #join(node: RecordingOutcome, native: RecordingOutcome): Promise<RecordingOutcome> {
    const { pid } = this.#plan.options.scope;
    const [own, whole] = await Promise.all(
      [node, native].map(({ primaryFile }) => importKept(this.#sink, primaryFile).then(({ profile }) => profile)),
    );
    const parts = [
      { event: 'node', profile: seenFromOutside(own!, pid) },
      { event: native.event ?? 'perf', profile: whole!, within: timeOf(own!, whole!) },
    ];
    const joined = joinEvents(parts, { ...own!.metadata, rateHz: null });
    const left = own!.samples.length + whole!.samples.length - joined.samples.length;
    const diagnostics = [...joined.diagnostics, ...(left === 0 ? [] : [leftOut(left, native.primaryFile)])];
    await this.#sink.replace(JOINED_FILE, chunksOf(writeNative({ ...joined, diagnostics })));
    const other = [node, native].flatMap(filesOf);
    // perf's own judgement, which reading its text does not repeat.
    const told = new Set(diagnostics.map(({ code }) => code));
    return {
      ...node,
      incomplete: native.incomplete,
      primaryFile: JOINED_FILE,
      otherFiles: other,
      lost: native.lost,
      samples: node.samples,
      cpuSeconds: native.cpuSeconds,
      diagnostics: [...node.diagnostics, ...native.diagnostics.filter(({ code }) => !told.has(code))],
      quality: captureQuality(joined),
    };
  }
}

const filesOf = ({ primaryFile, otherFiles }: RecordingOutcome): string[] => [primaryFile, ...otherFiles];

/** Keeps the samples of both apart. */
function notJoined(node: RecordingOutcome, native: RecordingOutcome, error: unknown): RecordingOutcome {
  const { message, remedy } = toFailure(error);
  const told = diagnostic('not-joined', `The samples of perf are only in ${native.primaryFile}: ${message}.`, {
    remedy,
  });
  return {
    ...node,
    otherFiles: [...node.otherFiles, ...filesOf(native)],
    diagnostics: [...node.diagnostics, told],
  };
}

/** Returns the time of a profile on the clock of another one; both must be on one. */
function timeOf({ metadata: { timeOrigin, durationNs } }: Profile, other: Profile): { from: number; to: number } {
  const from = Number((timeOrigin ?? 0n) - (other.metadata.timeOrigin ?? 0n));
  return { from, to: from + (durationNs ?? Infinity) };
}

/** Returns the profile with the PID by which others know the process. TIDs of another PID namespace are unknown. */
function seenFromOutside(profile: Profile, pid: number): Profile {
  const { threads } = profile;
  const isOwn = threads.pid[0] === pid;
  const tid = threads.tid.map((one, row) => (isOwn ? one : one === threads.pid[row] ? pid : -1));
  return { ...profile, threads: { ...threads, pid: threads.pid.map(() => pid), tid } };
}

const missing = (tool: string, why: string, remedy: string | null): Diagnostic =>
  diagnostic(`no-samples-of-${tool}`, `The samples of ${tool} are missing: ${why}.`, { remedy });

const leftOut = (count: number, file: string): Diagnostic =>
  diagnostic('outside-recording', `Samples that perf took before node’s first or after its last are only in ${file}.`, {
    severity: 'info',
    count,
  });
