import { endpointOf, readPprofUrl, type PprofOptions } from '#core/contract/pprof.ts';
import type { Plan, PlanStep } from '../collector.ts';

export const PPROF_RAW_FILE = 'raw.pprof';
export const STATES_FILE = 'raw.goroutines.txt';

/**
 * Returns one plan per kind; if the URL is one profile, a plan for that one. `url` comes from the options, or was found
 * for their process. Pure.
 */
export function planPprof(options: PprofOptions, url: string): Plan<PprofOptions>[] {
  const { kind } = readPprofUrl(url);
  if (isExact(options)) return [planKind(options, url, kind ?? 'file')];
  const kinds = kind === null ? [...new Set(options.kinds)] : [kind];
  return kinds.map((one) => planKind({ ...options, kinds: [one] }, url, one));
}

function planKind(options: PprofOptions, url: string, kind: string): Plan<PprofOptions> {
  const hasStates = kind === 'goroutine' && options.goroutineStates === true;
  const request = (target: string, method: 'GET' | 'POST' = 'GET'): PlanStep => ({
    kind: 'request',
    method,
    url: target,
    headers: (options.headers ?? []).map(({ name }) => name),
  });
  return {
    collector: 'pprof',
    options,
    steps: [
      request(isExact(options) ? url : profileUrl(options, url, kind)),
      ...(hasStates ? [request(companionUrl(url, 'debug/pprof/goroutine', { debug: '2' }))] : []),
      // gperftools profiles contain addresses, which the program itself resolves.
      ...(kind === 'gperftools' ? [request(companionUrl(url, 'pprof/symbol'), 'POST')] : []),
    ],
    piped: false,
    sudo: null,
    otherFiles: hasStates ? [STATES_FILE] : [],
    toolVersion: null,
    event: kind === 'file' ? null : kind,
    rateHz: null,
  };
}

const isExact = ({ scope }: PprofOptions): boolean => scope.kind === 'url' && scope.exact === true;

/** Keeps the user's query; adds `seconds` if it is missing and the profile accepts it. */
function profileUrl(options: PprofOptions, url: string, kind: string): string {
  const address = readPprofUrl(url);
  const path = endpointOf(kind)?.path ?? `debug/pprof/${kind}`;
  const query = new URLSearchParams(address.query);
  if (takesSeconds(options, kind) && !query.has('seconds')) query.set('seconds', String(options.seconds));
  return withQuery(`${address.root}${path}`, query);
}

/** Keeps the user's query but for `seconds`, which belongs to the profile: net/http/pprof refuses it with `debug`. */
function companionUrl(url: string, path: string, own: Readonly<Record<string, string>> = {}): string {
  const address = readPprofUrl(url);
  const query = new URLSearchParams(address.query);
  query.delete('seconds');
  for (const [name, value] of Object.entries(own)) query.set(name, value);
  return withQuery(`${address.root}${path}`, query);
}

const withQuery = (url: string, query: URLSearchParams): string =>
  query.size === 0 ? url : `${url}?${query.toString()}`;

const takesSeconds = ({ delta }: PprofOptions, kind: string): boolean =>
  endpointOf(kind)?.timed === true || delta === true;

/** Returns the seconds that the server takes before it answers; 0 if it answers immediately. */
export function sampledSeconds({ steps }: Pick<Plan<PprofOptions>, 'steps'>): number {
  const [first] = steps;
  if (first?.kind !== 'request') return 0;
  const seconds = Number(/[?&]seconds=(\d{1,5})/.exec(first.url)?.[1] ?? Number.NaN);
  if (!Number.isNaN(seconds)) return seconds;
  // The default of net/http/pprof and gperftools.
  return /\/debug\/pprof\/profile$|\/debug\/fgprof$|\/pprof\/profile$/.test(first.url) ? 30 : 0;
}
