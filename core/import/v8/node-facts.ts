import type { DiagnosticCounter } from '../../model/diagnostics.ts';
import type { ProfileMetadata } from '../../model/profile.ts';
import { arrayOrNone, isObject, numberOr, textOr, type JsonObject } from '../text/json-value.ts';
import { addGrowth, describeLoop, loopSeries, readLoopReadings, type LoopReading } from './event-loop.ts';

/** What `record node` adds to the main thread's profile, under the key `flamebench`. */
export interface NodeFacts {
  readonly pid: number;
  /** `v24.1.0` */
  readonly version: string;
  /** Microseconds between two samples; null for a heap profile. */
  readonly intervalUs: number | null;
  /** Worker threads that ended, or did not answer, before their samples were read. */
  readonly lostWorkers: number;
  /** Optimised code was kept, because the process collects coverage itself: see docs/runtimes.md. */
  readonly keptInlining: boolean;
  /** Worker threads with their profiles. */
  readonly threads: readonly { readonly title: string; readonly profile: JsonObject }[];
  readonly readings: readonly LoopReading[];
}

const MAX_THREADS = 1000;

/** Returns null for profiles of other programs. */
export function readNodeFacts(file: JsonObject): NodeFacts | null {
  const about = file['flamebench'];
  if (!isObject(about)) return null;
  const pid = numberOr(about['pid'], -1);
  return {
    pid: Number.isInteger(pid) && pid > 0 && pid < 2 ** 31 ? pid : -1,
    version: textOr(about['node'], '').slice(0, 100),
    intervalUs: about['profile'] === 'cpu' ? numberOr(about['intervalUs'], 0) || null : null,
    lostWorkers: Math.max(0, numberOr(about['lostWorkers'], 0)),
    keptInlining: about['profile'] === 'cpu' && about['renews'] === false,
    threads: arrayOrNone(about['threads'], 'threads')
      .slice(0, MAX_THREADS)
      .flatMap((one) => {
        const profile = isObject(one) ? one['profile'] : null;
        return isObject(one) && isObject(profile)
          ? [{ title: textOr(one['title'], '').slice(0, 300) || 'worker', profile }]
          : [];
      }),
    readings: readLoopReadings(about['readings']),
  };
}

/**
 * Returns the metadata of these facts, and adds what the user should know. `origin`: microseconds of the samples' time
 * 0; null if they have no times.
 */
export function addNodeFacts(
  diagnostics: DiagnosticCounter,
  { version, intervalUs, lostWorkers, keptInlining, readings }: NodeFacts,
  origin: number | null,
): Pick<ProfileMetadata, 'tool' | 'toolVersion' | 'rateHz' | 'comments' | 'series'> {
  const series = origin === null ? [] : loopSeries(readings, origin);
  addGrowth(diagnostics, readings);
  if (lostWorkers > 0) {
    diagnostics.add(
      'lost-workers',
      'Worker threads ended before the recording did, or did not answer; their samples are lost.',
      { count: lostWorkers },
    );
  }
  if (keptInlining) {
    diagnostics.add(
      'inlined-functions',
      'The process collects coverage, so functions that were inlined before the recording have their callers’ time.',
      { remedy: 'Start it without NODE_V8_COVERAGE.' },
    );
  }
  return {
    tool: 'Node',
    toolVersion: version === '' ? null : version,
    rateHz: intervalUs === null ? null : 1e6 / intervalUs,
    comments: describeLoop(readings),
    ...(series.length === 0 ? {} : { series }),
  };
}
