import { RequestFailure } from './request-failure.ts';

/** Time limit of a pattern in ms; some patterns take exponential time. */
const PATTERN_LIMIT_MS = 1000;

/** A job that the regex worker runs on the names it received last. */
export type RegexJob =
  | { readonly kind: 'match'; readonly pattern: string; readonly ignoreCase: boolean }
  | { readonly kind: 'rename'; readonly pattern: string; readonly ignoreCase: boolean; readonly replacement: string };

/** Messages to and from the regex worker. Names are sent before the first pattern and whenever they change. */
export type RegexRequest = { readonly kind: 'names'; readonly names: readonly string[] } | RegexJob;
export type RegexAnswer =
  | { readonly kind: 'match'; readonly flags: Uint8Array }
  | { readonly kind: 'rename'; readonly names: readonly string[] }
  | { readonly kind: 'refused'; readonly error: string };

/** The part of `Worker` that runs patterns. */
export interface RegexPort {
  postMessage(message: RegexRequest): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<RegexAnswer>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

interface RunningPattern<Kind extends RegexJob['kind']> {
  /** Fails as `bad-pattern`, `slow-pattern`, `stale` (abandoned) or `internal`. */
  readonly answer: Promise<Extract<RegexAnswer, { kind: Kind }>>;
  /** Stops the pattern immediately. */
  abandon(): void;
}

/** Starts a pattern over names; several can run concurrently. */
type StartPattern = <Job extends RegexJob>(names: readonly string[], job: Job) => RunningPattern<Job['kind']>;

interface IdleWorker {
  readonly port: RegexPort;
  /** The names sent to this worker most recently. */
  readonly names: readonly string[];
}

/**
 * Runs patterns in workers that are terminated after the time limit. Keeps one idle worker, with the names that it has
 * received.
 */
export function createPatternJobs(start: () => RegexPort): StartPattern {
  let idle: IdleWorker | null = null;

  function takeWorker(names: readonly string[]): RegexPort {
    const taken = idle;
    idle = null;
    const port = taken?.port ?? start();
    if (taken?.names !== names) port.postMessage({ kind: 'names', names });
    return port;
  }

  function keep(worker: IdleWorker): void {
    idle?.port.terminate();
    idle = worker;
  }

  return (names, job) => {
    const port = takeWorker(names);
    let abandon = (): void => undefined;
    const answer = new Promise<never>((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        abandon = () => undefined;
      };
      const end = (failure: RequestFailure): void => {
        settle();
        port.terminate();
        reject(failure);
      };
      const timer = setTimeout(() => end(slowPattern(job)), PATTERN_LIMIT_MS);
      abandon = () => end(new RequestFailure('stale', 'a newer search replaced this one'));
      port.onerror = () => end(new RequestFailure('internal', 'the search stopped unexpectedly', 'Search again.'));
      port.onmessage = ({ data }) => {
        settle();
        keep({ port, names });
        if (data.kind === 'refused') reject(new RequestFailure('bad-pattern', data.error, null));
        else resolve(data as never);
      };
      port.postMessage(job);
    });
    return {
      answer,
      abandon: () => abandon(),
    };
  };
}

function slowPattern({ kind }: RegexJob): RequestFailure {
  const what = kind === 'match' ? 'the pattern takes' : 'the pattern and its replacement take';
  return new RequestFailure(
    'slow-pattern',
    `${what} longer than 1 s on these names`,
    'Simplify it: avoid nested repetition.',
  );
}
