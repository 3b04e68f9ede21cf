import type { RegexAnswer, RegexRequest } from './protocol.ts';
import { RequestFailure } from './request-failure.ts';

/** A pattern may take exponential time; after this it is ended. */
const PATTERN_LIMIT_MS = 1000;

/** The part of `Worker` that the search uses. */
export interface RegexPort {
  postMessage(message: RegexRequest): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<RegexAnswer>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** Matches patterns against one profile's names, in a worker of its own. A newer search ends an older one. */
export function createPatternSearch(
  names: readonly string[],
  start: () => RegexPort,
): (pattern: string) => Promise<Uint8Array> {
  let idle: RegexPort | null = null;
  let abandon: (() => void) | null = null;

  function takeWorker(): RegexPort {
    const worker = idle ?? start();
    if (idle === null) worker.postMessage({ kind: 'names', names });
    idle = null;
    return worker;
  }

  return (pattern) => {
    abandon?.();
    const worker = takeWorker();
    return new Promise((resolve, reject) => {
      const end = (failure: RequestFailure): void => {
        clearTimeout(timer);
        worker.terminate();
        abandon = null;
        reject(failure);
      };
      const timer = setTimeout(() => {
        end(
          new RequestFailure(
            'slow-pattern',
            'the pattern takes longer than 1 s on these names',
            'Make it simpler: avoid nested repetition.',
          ),
        );
      }, PATTERN_LIMIT_MS);
      abandon = () => {
        end(new RequestFailure('stale', 'a newer search replaced this one'));
      };
      worker.onerror = () => {
        end(new RequestFailure('internal', 'the search stopped unexpectedly', 'Search again.'));
      };
      worker.onmessage = ({ data }) => {
        clearTimeout(timer);
        abandon = null;
        idle = worker;
        if ('flags' in data) resolve(data.flags);
        else reject(new RequestFailure('bad-pattern', data.error, null));
      };
      worker.postMessage({ kind: 'match', pattern, ignoreCase: !hasCapital(pattern) });
    });
  };
}

/** Escapes such as `\S` and `\W` are no capitals of the names. */
export function hasCapital(pattern: string): boolean {
  return /\p{Lu}/u.test(pattern.replace(/\\./gs, ''));
}
