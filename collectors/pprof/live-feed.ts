import { setTimeout as sleep } from 'node:timers/promises';
import type { PprofOptions } from '#core/contract/pprof.ts';
import { ImportFailure } from '#core/model/failure.ts';
import { judgeIdentity } from '../chosen-process.ts';
import {
  NO_OUTCOME,
  type LiveFeed,
  type LivePiece,
  type LiveStart,
  type Plan,
  type PlanStep,
  type RecordingOutcome,
} from '../collector.ts';
import { chunksOf } from '../live/chunks-of.ts';
import { RecordingBase } from '../recording-base.ts';
import { toFailure, type RecordingFailure } from '../recording-failure.ts';
import { readProcStat } from '../target/processes.ts';
import { runToEnd } from '../target/run-to-end.ts';
import type { Target } from '../target/target.ts';
import { PprofFailure } from '../fetch/explain-failure.ts';
import { fetchBody, FETCH_LIMITS } from '../fetch/http-fetch.ts';
import { nameCode } from './name-code.ts';
import { PPROF_RAW_FILE, sampledSeconds } from './plan.ts';
import { openRoute } from './route.ts';

/** How long requests to a service that has answered before are repeated after a failure, in milliseconds. */
const RETRY_FOR_MS = 60_000;
/** Milliseconds between two attempts. */
const RETRY_MS = 500;

type Request = Extract<PlanStep, { kind: 'request' }>;
type Route = Awaited<ReturnType<typeof openRoute>>;

/** A profile that a window has yielded. */
interface Fetched {
  readonly body: readonly Uint8Array[];
  /** Milliseconds of the monotonic clock. */
  readonly sentAt: number;
  readonly arrivedAt: number;
}

/** Requests a profile again and again. The time between two windows is not sampled. */
export class PprofFeed extends RecordingBase implements LiveFeed {
  readonly #target: Target;
  readonly #plan: Plan<PprofOptions>;
  readonly #onPiece: () => void;
  readonly #onRaw: LiveStart<PprofOptions>['onRaw'];
  readonly #ending = new AbortController();
  #waiting: Fetched[] = [];
  #windows = 0;
  /** A window was a profile. */
  #isProven = false;
  #refusal: RecordingFailure | null = null;
  #problem: string | null = null;

  constructor({ target, plan, clock, onPiece, onRaw }: LiveStart<PprofOptions>) {
    super(clock);
    this.#target = target;
    this.#plan = plan;
    this.#onPiece = onPiece;
    this.#onRaw = onRaw;
  }

  protected end(): void {
    this.#ending.abort(new PprofFailure('stopped', 'stopped', null));
  }

  protected async record(): Promise<RecordingOutcome> {
    const { scope } = this.#plan.options;
    let failure: RecordingFailure | null = null;
    let isLinkLost = false;
    try {
      const gone = scope.kind === 'pid' ? judgeIdentity(scope, await readProcStat(this.#target, scope.pid)) : null;
      failure = gone ?? (await this.#fetchAll());
    } catch (error) {
      failure = toFailure(error);
    }
    if (failure !== null && this.ask === null) isLinkLost = !(await this.#isReachable());
    this.markEnd();
    return this.#conclude(this.ask === null && !isLinkLost ? failure : null, isLinkLost);
  }

  /** Returns why no more windows are requested; null if it was stopped. */
  async #fetchAll(): Promise<RecordingFailure | null> {
    const step = this.#plan.steps.find((one): one is Request => one.kind === 'request');
    if (step === undefined) throw new Error('nothing is requested');
    let route: Route | null = null;
    let failingSince: number | null = null;
    try {
      while (this.ask === null && this.#refusal === null) {
        try {
          route ??= await openRoute(this.#target, step.url);
          await this.#fetch(step, route);
          failingSince = null;
          this.#problem = null;
        } catch (error) {
          if (this.ask !== null || this.#refusal !== null) break;
          const failure = toFailure(error);
          failingSince ??= this.clock.monotonic();
          const isOver = this.clock.monotonic() - failingSince > RETRY_FOR_MS;
          if (this.#windows === 0 || isOver || !(await this.#isReachable())) return failure;
          this.#problem = `No profile: ${failure.message}; trying again.`;
          this.announce();
          await sleep(RETRY_MS, undefined, { signal: this.#ending.signal }).catch(() => undefined);
        }
      }
      return this.#refusal;
    } finally {
      await route?.close();
    }
  }

  async #fetch(step: Request, { via }: Route): Promise<void> {
    const body: Uint8Array[] = [];
    let sentAt = this.clock.monotonic();
    await fetchBody({
      url: step.url,
      options: this.#plan.options,
      seconds: sampledSeconds(this.#plan),
      signal: this.#ending.signal,
      ...(via === undefined ? {} : { via }),
      onSent: () => {
        sentAt = this.clock.monotonic();
        if (this.startedAt === null) this.markBegin(null);
      },
      onChunk: (chunk) => Promise.resolve(void body.push(chunk.slice())),
    });
    this.#windows += 1;
    this.#waiting.push({ body, sentAt, arrivedAt: this.clock.monotonic() });
    this.#onPiece();
    await this.#onRaw?.({ head: null, chunks: body });
  }

  async take(): Promise<readonly LivePiece[]> {
    const fetched = this.#waiting;
    this.#waiting = [];
    const pieces: LivePiece[] = [];
    for (const one of fetched) pieces.push(await this.#read(one));
    return pieces;
  }

  async #read({ body, sentAt, arrivedAt }: Fetched): Promise<LivePiece> {
    const { options, steps } = this.#plan;
    const post = steps.find((step): step is Request => step.kind === 'request' && step.method === 'POST');
    const names = nameCode(this.#target, {
      options,
      symbolUrl: post?.url ?? null,
      signal: this.#ending.signal,
      limits: FETCH_LIMITS,
      onMessage: () => undefined,
    });
    const { importProfile } = await import('#core/import/import-profile.ts');
    const profile = await importProfile(
      { fileName: PPROF_RAW_FILE, size: null, chunks: () => chunksOf(body) },
      { symbols: names.symbols },
    ).catch((error: unknown) => {
      // A service that never sent a profile has another address.
      if (error instanceof ImportFailure && !this.#isProven) this.#refuse(error);
      throw error;
    });
    this.#isProven = true;
    const durationMs = (profile?.metadata.durationNs ?? 0) / 1e6;
    const endedAt = durationMs > 0 ? Math.min(arrivedAt, sentAt + durationMs) : arrivedAt;
    const span = { start: BigInt(Math.round(sentAt * 1e6)), end: BigInt(Math.round(endedAt * 1e6)) };
    return { profile, span, arrivedAt };
  }

  #refuse(error: ImportFailure): void {
    const url = this.#plan.steps.find((step): step is Request => step.kind === 'request')?.url ?? '';
    const message = `${url} did not send a profile: ${error.message}`;
    const remedy = 'give the service’s root or one of its profiles';
    this.#refusal = toFailure(new PprofFailure('not-a-profile', message, remedy));
    this.#ending.abort(error);
  }

  /** Returns whether the host still answers, so that the failure is the service's. */
  async #isReachable(): Promise<boolean> {
    if (this.#target.kind === 'local') return true;
    return runToEnd(this.#target, ['true']).then(
      ({ exit }) => exit.code === 0,
      () => false,
    );
  }

  #conclude(failure: RecordingFailure | null, isLinkLost: boolean): RecordingOutcome {
    return {
      ...NO_OUTCOME,
      state: this.ask === 'cancel' ? 'cancelled' : failure === null ? 'finished' : 'failed',
      primaryFile: PPROF_RAW_FILE,
      exit: isLinkLost ? { code: null, signal: null } : null,
      startedAt: this.startedAt,
      durationMs: this.elapsedMs,
      event: this.#plan.event,
      error: failure,
    };
  }

  protected counts() {
    const problem = this.#problem === null ? {} : { problem: this.#problem };
    return { samples: 0, lost: 0, bytes: 0, messages: [], ...problem };
  }
}
