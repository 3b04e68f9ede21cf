import { imageText } from '../../contract/container-text.ts';
import { launchedCommand } from '../../contract/launched-command.ts';
import type { Throttling } from '../../contract/capture-facts.ts';
import type { CaptureDocument, CaptureLoad, ProcessRow } from '../../contract/schemas.ts';
import { captureQualitySteps } from '../../model/capture-quality.ts';
import type { Profile, ProfileMetadata } from '../../model/profile.ts';
import type { CaptureQuality } from '../../model/quality-grade.ts';
import { finish, type Steps } from '../../steps.ts';
import { convertUnit, findUnit } from '../../units/units.ts';
import type { CaptureConditions, CaptureFacts } from './capture-facts.ts';

/**
 * document: recorded with the capture; profile: stated in the file; times: from its first sample to its last, so too
 * short for a target that idles.
 */
export type FactSource = 'document' | 'profile' | 'times';

/** The facts whose source is tracked. */
export type CaptureFact = Exclude<keyof CaptureFacts, 'name' | 'conditions' | 'quality' | 'format' | 'loadRun'>;

export interface CaptureFactsFound {
  readonly facts: CaptureFacts;
  /** The source of each fact; null if it is unknown. */
  readonly sources: Readonly<Record<CaptureFact, FactSource | null>>;
}

/** The part of a capture's document that comparing needs. */
export type FactsDocument = Pick<CaptureDocument, 'target' | 'rateHz' | 'durationMs' | 'cpuSeconds'> &
  Partial<
    Pick<
      CaptureDocument,
      'collector' | 'options' | 'incomplete' | 'circumstances' | 'goProcess' | 'container' | 'lostSamples' | 'requests'
    >
  > & {
    readonly load?: Pick<CaptureLoad, 'test' | 'concurrency' | 'run'> & Partial<Pick<CaptureLoad, 'requests'>>;
    readonly process?: Pick<ProcessRow, 'name' | 'executable' | 'buildId'> | null;
    /** The document's duration is only the span of the samples, as in merged captures of a fleet. */
    readonly durationIsSpan?: true;
  };

interface FoundFact<T> {
  readonly value: T;
  readonly source: FactSource;
}

/**
 * Returns the facts about a capture of the library, or about a file alone (`document` null). `name` identifies it in
 * messages. Captures under load, and the samples of apiserver, state their number of requests; for others, only the user knows it.
 */
export function captureFacts(document: FactsDocument | null, profile: Profile, name: string): CaptureFactsFound {
  return finish(captureFactSteps(document, profile, name));
}

/** Like {@link captureFacts}, in pieces. `graded`: the capture's quality, if the profile is only a part of it. */
export function* captureFactSteps(
  document: FactsDocument | null,
  profile: Profile,
  name: string,
  graded: CaptureQuality | null = null,
): Steps<CaptureFactsFound> {
  const { metadata } = profile;
  const target = document?.target ?? null;
  const found = {
    host: from('document', target?.host) ?? from('profile', metadata.hostName),
    kernel: from('document', target?.kernel) ?? from('profile', metadata.kernel),
    cpuCount: from('document', target?.cpuCount) ?? from('profile', metadata.cpuCount),
    durationSeconds: from('document', positive(document?.durationMs, 1e3)) ?? durationOf(profile),
    rateHz: from('document', positive(document?.rateHz)) ?? from('profile', rateOf(metadata)),
    cpuSeconds: from('document', cpuSecondsOf(document, profile)),
    requests: from('document', positive(document?.load?.requests ?? document?.requests)),
  };
  const quality = graded ?? (yield* captureQualitySteps(profile, { lost: document?.lostSamples ?? 0 }));
  const facts: CaptureFacts = {
    name,
    host: found.host?.value ?? null,
    kernel: found.kernel?.value ?? null,
    cpuCount: found.cpuCount?.value ?? null,
    durationSeconds: found.durationSeconds?.value ?? null,
    ...(found.durationSeconds?.source === 'times' || document?.durationIsSpan === true
      ? { durationIsSpan: true as const }
      : {}),
    ...(document !== null && isWholeRun(document) ? { isWholeRun: true as const } : {}),
    ...programOf(document),
    format: metadata.format,
    rateHz: found.rateHz?.value ?? null,
    cpuSeconds: found.cpuSeconds?.value ?? null,
    ...(quality === null ? {} : { quality }),
    requests: found.requests?.value ?? null,
    ...loadRunOf(document),
    ...conditionsOf(document, profile),
  };
  const sources = Object.fromEntries(Object.entries(found).map(([fact, one]) => [fact, one?.source ?? null]));
  return { facts, sources: sources as CaptureFactsFound['sources'] };
}

function from<T>(source: FactSource, value: T | null | undefined): FoundFact<T> | null {
  return value === null || value === undefined || value === '' ? null : { value, source };
}

/** Converts to multiples of `unit`; null if it is not a positive number. */
function positive(value: number | null | undefined, unit = 1): number | null {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value / unit : null;
}

/** Importers of formats without a duration state the span of the samples' times as the duration. */
function durationOf({ metadata, samples: { time } }: Profile): FoundFact<number> | null {
  const span = time === null ? null : spanOf(time);
  const stated = positive(metadata.durationNs, 1e9);
  if (stated !== null && metadata.durationNs !== span) return { value: stated, source: 'profile' };
  return from('times', positive(span, 1e9));
}

function spanOf(time: Float64Array): number {
  let first = Infinity;
  let last = -Infinity;
  for (const one of time) {
    if (one < first) first = one;
    if (one > last) last = one;
  }
  return last - first;
}

/** Derives the rate from a period in a unit of time (pprof's `cpu`): rate = 1 ÷ period. */
function rateOf({ rateHz, period }: ProfileMetadata): number | null {
  if (positive(rateHz) !== null) return rateHz;
  if (period === null || findUnit(period.unit)?.dimension !== 'time') return null;
  const seconds = positive(convertUnit(period.value, period.unit, 'seconds'));
  return seconds === null ? null : 1 / seconds;
}

/** Returns the program of the process that was recorded, or of the command given to perf. */
function programOf(document: FactsDocument | null): Pick<CaptureFacts, 'program' | 'isSystemWide'> {
  const [command = []] = document?.collector?.commands ?? [];
  const end = command.indexOf('--');
  const options = end < 0 ? command : command.slice(0, end);
  const program = document?.process?.executable ?? document?.process?.name ?? launchedCommand(document ?? {})[0];
  return {
    ...(program === undefined ? {} : { program }),
    ...(options.includes('-a') || options.includes('--all-cpus') ? { isSystemWide: true as const } : {}),
  };
}

function loadRunOf(document: FactsDocument | null): Pick<CaptureFacts, 'loadRun'> {
  const { load } = document ?? {};
  return load === undefined ? {} : { loadRun: `${load.test}@${load.concurrency} run ${load.run}` };
}

/** Returns whether a command was launched, and ended by itself. */
function isWholeRun(document: FactsDocument): boolean {
  const { collector, incomplete } = document;
  if (collector === null || collector === undefined || incomplete === true) return false;
  return launchedCommand(document).length > 0 && collector.exitCode !== null && collector.signal === null;
}

/** Minimum duration of a run whose last reading of CPU time may be half a second older than its end. */
const LEAST_READ_MS = 10_000;

/**
 * Returns the CPU seconds that were read of one process; null if samples are of others too (its children), or if the
 * process ended by itself so early that the last reading lacks much.
 */
function cpuSecondsOf(document: FactsDocument | null, profile: Profile): number | null {
  const read = document?.cpuSeconds ?? null;
  if (document === null || read === null || !(read.end >= read.start)) return null;
  if (isWholeRun(document) && (document.durationMs ?? 0) < LEAST_READ_MS) return null;
  return hasOneProcess(profile) ? read.end - read.start : null;
}

function hasOneProcess({ samples, threads }: Profile): boolean {
  const pidOf = (thread: number | undefined): number => (thread === undefined ? -1 : (threads.pid[thread] ?? -1));
  const first = pidOf(samples.thread[0]);
  return samples.thread.every((thread) => pidOf(thread) === first);
}

const throttledShare = (throttled: Throttling | undefined): number | null =>
  throttled === undefined || throttled.periods === 0 ? null : throttled.throttledPeriods / throttled.periods;

function conditionsOf(
  document: FactsDocument | null,
  { metadata, samples }: Profile,
): Pick<CaptureFacts, 'conditions'> {
  const { collector, circumstances, process, goProcess, container } = document ?? {};
  const average = mean([circumstances?.loadAverage.start, circumstances?.loadAverage.end]);
  const command = collector?.commands[0] ?? metadata.command?.split(/\s+/) ?? [];
  const conditions: CaptureConditions = {
    tool: toolOf(collector?.id ?? metadata.tool, collector?.toolVersion ?? metadata.toolVersion),
    callGraph: callGraphOf(command),
    buildId: process?.buildId ?? null,
    containerImage: container === undefined ? null : imageText(container),
    goVersion: goProcess?.version ?? null,
    goMaxProcs: goProcess?.maxProcs ?? null,
    cpuModel: circumstances?.cpuModel ?? null,
    governor: circumstances?.governor ?? null,
    turbo: circumstances?.turbo ?? null,
    loadAverage: average,
    steal: circumstances?.steal ?? null,
    cgroup: circumstances?.cgroup ?? null,
    throttled: throttledShare(circumstances?.throttled),
    // Without a document, threads of a file may be those of several processes.
    threads: document === null ? null : new Set(samples.thread).size || null,
  };
  return Object.values(conditions).every((value) => value === null) ? {} : { conditions };
}

function mean(values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter((value) => typeof value === 'number');
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

const toolOf = (tool: string | null, version: string | null): string | null =>
  tool === null || tool === '' ? null : version === null || version === '' ? tool : `${tool} ${version}`;

/**
 * Returns the call graph mode from the arguments of `perf record`; null if the command is not perf's. The recorded
 * command's own arguments follow `--`.
 */
function callGraphOf(command: readonly string[]): string | null {
  const end = command.indexOf('--');
  const own = end < 0 ? command : command.slice(0, end);
  const record = own.indexOf('record');
  if (record < 1 || !/(^|\/)perf[^/]*$/.test(own[record - 1]!)) return null;
  const place = own.findIndex((word) => word === '--call-graph' || word.startsWith('--call-graph='));
  if (place < 0) return own.includes('-g') ? 'fp' : 'none';
  const mode = own[place] === '--call-graph' ? own[place + 1] : own[place]!.slice('--call-graph='.length);
  return mode?.split(',')[0] ?? null;
}
