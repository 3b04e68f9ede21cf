import * as z from 'zod';
import { MAX_PROBES, type StoredProbe } from '../contract/load/probe.ts';
import type { ProbePhases, ProbeSample } from './probe.ts';
import { parseJsonAs } from './readers/json.ts';
import { malformed, tidy } from './readers/reader.ts';

/** Longest time that can be shown. Milliseconds. */
const LONGEST = 292 * 365.25 * 86_400_000;

/** Milliseconds; -1: the phase does not apply. */
const timing = z.number().max(LONGEST, 'more than 292 years').nullish();

/** What is read of a HAR file: http://www.softwareishard.com/blog/har-12-spec/. */
const harSchema = z.object({
  log: z.object({
    entries: z.array(
      z.object({
        startedDateTime: z.string().max(100),
        request: z.object({ method: z.string().max(100), url: z.string() }),
        response: z.object({ status: z.number() }),
        timings: z.object({
          blocked: timing,
          dns: timing,
          connect: timing,
          ssl: timing,
          send: timing,
          wait: timing,
          receive: timing,
        }),
        /** Chrome’s. */
        _resourceType: z.string().nullish(),
        _fromCache: z.string().nullish(),
      }),
    ),
  }),
});
type HarEntry = z.infer<typeof harSchema>['log']['entries'][number];

/** A request, with its times in seconds. */
interface HarRequest {
  /** Method and URL without query, as a key. */
  readonly key: string;
  readonly url: string;
  readonly start: number;
  readonly entry: HarEntry;
}

/**
 * Reads a HAR file of a browser's network panel: the requests to one address, without its query, as probes. `only`:
 * part of that address; null: the most requested. Throws an `ImportFailure`.
 */
export function readHar(text: string, only: string | null): StoredProbe {
  const { entries } = parseJsonAs(text, harSchema, 'a HAR file').log;
  const all = entries.flatMap(requestOf);
  const preflights = all.filter(({ entry }) => isPreflight(entry));
  const sent = all.filter(
    ({ entry }) => !isPreflight(entry) && (entry._fromCache ?? null) === null && entry.response.status > 0,
  );
  const byKey = Map.groupBy(sent, ({ key }) => key);
  const [chosen] = [...byKey.values()]
    .filter(([first]) => only === null || first!.key.includes(only))
    .sort((a, b) => b.length - a.length);
  if (chosen === undefined)
    throw malformed(only === null ? 'no request of the HAR file has an answer' : 'no answered request matches');
  const { url, entry } = chosen[0]!;
  const own = preflights.filter((one) => one.url === url);
  const ownPreflights = own.length;
  const hasPreflights = ownPreflights > 0;
  const samples = chosen
    .slice(0, MAX_PROBES)
    .map((request) => sampleOf(request, takePreflight(own, request), hasPreflights));
  const others = entries.length - chosen.length - ownPreflights;
  return {
    plan: { url, headers: [], times: samples.length, restart: null, idle: 0 },
    samples,
    notes: [
      `${entry.request.method} requests of a HAR file, without the query of their URL.`,
      ...(others > 0
        ? [`${others} other ${others === 1 ? 'request of the file is' : 'requests of the file are'} left out.`]
        : []),
      ...(chosen.length > MAX_PROBES ? [`Only the first ${MAX_PROBES} of ${chosen.length} requests are read.`] : []),
      'blocked: before the browser could send it, for example because of its limit of connections; without the preflight.',
    ],
  };
}

function requestOf(entry: HarEntry): HarRequest[] {
  const start = Date.parse(entry.startedDateTime) / 1000;
  // Without user and password, query and fragment.
  const [, scheme, host, path = ''] = /^(https?:\/\/)(?:[^/?#@]*@)?([^/?#@]+)([^?#]*)/i.exec(entry.request.url) ?? [];
  if (scheme === undefined || Number.isNaN(start)) return [];
  const plain = `${scheme}${host}${path}`.slice(0, 4096);
  return [{ key: `${entry.request.method} ${plain}`, url: plain, start, entry }];
}

/** Chrome marks it; other browsers only have its method. */
const isPreflight = ({ _resourceType, request }: HarEntry): boolean =>
  (_resourceType ?? null) === null ? request.method === 'OPTIONS' : _resourceType === 'preflight';

/** Seconds; null: it does not apply. */
const secondsOf = (value: number | null | undefined): number | null =>
  value === undefined || value === null || value < 0 ? null : tidy(value / 1000);

/** How long before its request a preflight of another browser than Chrome may end. Seconds. */
const GAP = 1;

interface Preflight {
  readonly seconds: number;
  /** The connection that it opened: seconds of DNS, TCP and TLS. */
  readonly opening: Pick<ProbePhases, 'dns' | 'tcp' | 'tls'>;
  /** Chrome counts it as blocked time of its request. */
  readonly isBlocked: boolean;
}

/** Removes the preflight of a request from the list; null if it had none. */
function takePreflight(preflights: HarRequest[], { start, entry }: HarRequest): Preflight | null {
  const sent = start + (secondsOf(entry.timings.blocked) ?? 0);
  const place = preflights.findIndex((one) => {
    const end = one.start + durationOf(one.entry);
    return end <= sent + 0.002 && end >= start - GAP;
  });
  const [found] = place < 0 ? [] : preflights.splice(place, 1);
  if (found === undefined) return null;
  const isBlocked = found.start >= start - 0.002;
  return { seconds: durationOf(found.entry), opening: openingOf(found.entry), isBlocked };
}

/** `connect` has the time of `ssl`. */
const durationOf = ({ timings: { blocked, dns, connect, send, wait, receive } }: HarEntry): number =>
  [blocked, dns, connect, send, wait, receive].reduce<number>((sum, one) => sum + (secondsOf(one) ?? 0), 0);

function openingOf({ timings: { dns, connect, ssl } }: HarEntry): Preflight['opening'] {
  const tls = secondsOf(ssl);
  return { dns: secondsOf(dns) ?? 0, tcp: Math.max(0, tidy((secondsOf(connect) ?? 0) - (tls ?? 0))), tls };
}

function sampleOf({ entry }: HarRequest, preflight: Preflight | null, hasPreflights: boolean): ProbeSample {
  const { timings } = entry;
  const at = (value: number | null | undefined): number => secondsOf(value) ?? 0;
  const [own, sent] = [openingOf(entry), preflight?.opening ?? { dns: 0, tcp: 0, tls: null }];
  const tls = own.tls === null && sent.tls === null ? null : tidy((own.tls ?? 0) + (sent.tls ?? 0));
  const opened = sent.dns + sent.tcp + (sent.tls ?? 0);
  const phases: Omit<ProbePhases, 'total'> = {
    blocked: Math.max(0, tidy(at(timings.blocked) - (preflight?.isBlocked === true ? preflight.seconds : 0))),
    dns: tidy(own.dns + sent.dns),
    tcp: tidy(own.tcp + sent.tcp),
    tls,
    ...(hasPreflights ? { preflight: Math.max(0, tidy((preflight?.seconds ?? 0) - opened)) } : {}),
    firstByte: tidy(at(timings.send) + at(timings.wait)),
    download: at(timings.receive),
  };
  const total = tidy(Object.values(phases).reduce<number>((sum, one) => sum + (one ?? 0), 0));
  const isNew = phases.dns + phases.tcp + (tls ?? 0) > 0;
  const all = { ...phases, total };
  return { cold: isNew ? all : null, kept: isNew ? null : { ...all, tls: null }, status: entry.response.status };
}
