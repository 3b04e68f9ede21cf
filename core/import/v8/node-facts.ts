import type { DiagnosticCounter } from '../../model/diagnostics.ts';
import type { ProfileMetadata } from '../../model/profile.ts';
import { countText } from '../../units/format.ts';
import { arrayOrNone, isObject, numberOr, textOr, type JsonObject } from '../text/json-value.ts';
import { placeKey, type V8Sources } from './profile.ts';
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
  /** Heap profile of the main thread that was taken with its CPU profile; null if none was. */
  readonly heap: JsonObject | null;
  /** Worker threads with their profiles. */
  readonly threads: readonly {
    readonly title: string;
    readonly tid: number;
    readonly profile: JsonObject;
    readonly heap: JsonObject | null;
  }[];
  readonly readings: readonly LoopReading[];
  /** What source maps say of functions. */
  readonly sources: V8Sources;
  /** Numbers of source maps; null if none were asked for. */
  readonly sourceMaps: { readonly maps: number; readonly missing: number; readonly bad: number } | null;
}

const MAX_THREADS = 1000;

/** Returns null for profiles of other programs. */
export function readNodeFacts(file: JsonObject): NodeFacts | null {
  const about = file['flamebench'];
  if (!isObject(about)) return null;
  return {
    pid: numberOr(about['pid'], -1),
    version: textOr(about['node'], '').slice(0, 100),
    intervalUs: about['profile'] === 'cpu' ? numberOr(about['intervalUs'], 0) || null : null,
    lostWorkers: Math.max(0, numberOr(about['lostWorkers'], 0)),
    keptInlining: about['profile'] === 'cpu' && about['renews'] === false,
    heap: objectOrNone(about['heap']),
    threads: arrayOrNone(about['threads'], 'threads')
      .slice(0, MAX_THREADS)
      .flatMap((one) => {
        if (!isObject(one) || !isObject(one['profile'])) return [];
        const { title, tid, profile } = one;
        return [
          {
            title: textOr(title, '').slice(0, 300) || 'worker',
            tid: numberOr(tid, -1),
            profile,
            heap: objectOrNone(one['heap']),
          },
        ];
      }),
    readings: readLoopReadings(about['readings']),
    sources: readSources(about['mapped']),
    sourceMaps: isObject(about['sourceMaps']) ? readCounts(about['sourceMaps']) : null,
  };
}

const objectOrNone = (value: unknown): JsonObject | null => (isObject(value) ? value : null);

const readCounts = (counts: JsonObject) => {
  const count = (name: string): number => Math.max(0, numberOr(counts[name], 0));
  return { maps: count('maps'), missing: count('missing'), bad: count('bad') };
};

/** Reads the rows of collectors/node/source-maps.ts; what is not one is left out. */
const readSources = (value: unknown): V8Sources =>
  new Map(
    arrayOrNone(value, 'mapped').flatMap((row) => {
      if (!Array.isArray(row)) return [];
      const [url, line, column, file, fileLine, name] = row as unknown[];
      if (typeof url !== 'string' || typeof file !== 'string' || !isIndex(line) || !isIndex(column)) return [];
      if (!isIndex(fileLine)) return [];
      const named = typeof name === 'string' && name !== '' ? name : null;
      return [[placeKey(url, line, column), { file, line: fileLine + 1, name: named }] as const];
    }),
  );

const isIndex = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 31 - 1;

/**
 * Returns the metadata of these facts, and adds what the user should know. `origin`: microseconds of the samples' time
 * 0; null if they have no times.
 */
export function addNodeFacts(
  diagnostics: DiagnosticCounter,
  { version, intervalUs, lostWorkers, keptInlining, readings, sources, sourceMaps }: NodeFacts,
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
  if (sourceMaps !== null) {
    const { maps, missing, bad } = sourceMaps;
    const lacking = [...(missing > 0 ? [`${missing} missing`] : []), ...(bad > 0 ? [`${bad} invalid`] : [])];
    diagnostics.add(
      'source-maps',
      `Source maps of ${countText(maps, 'script')} gave the sources of ${countText(sources.size, 'function')}${lacking.length === 0 ? '' : `; maps: ${lacking.join(', ')}`}.`,
      lacking.length === 0
        ? { severity: 'info' }
        : { count: missing + bad, remedy: 'Functions of the other scripts have the places of the code that ran.' },
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
