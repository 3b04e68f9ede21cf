import type { CaptureDocument } from '../../contract/schemas.ts';
import { captureQuality } from '../../model/capture-quality.ts';
import type { Profile, ProfileMetadata } from '../../model/profile.ts';
import { convertUnit, findUnit } from '../../units/units.ts';
import type { CaptureConditions, CaptureFacts } from './capture-facts.ts';

/** document: recorded with the capture; profile: stated in the file; times: from its first sample to its last, so too short for a target that idles. */
export type FactSource = 'document' | 'profile' | 'times';

/** What a fact can be known of. */
export type CaptureFact = Exclude<keyof CaptureFacts, 'name' | 'conditions' | 'quality'>;

export interface CaptureFactsFound {
  readonly facts: CaptureFacts;
  /** Where each comes from; null: not known. */
  readonly sources: Readonly<Record<CaptureFact, FactSource | null>>;
}

/** The part of a capture's document that comparing needs. */
export type FactsDocument = Pick<CaptureDocument, 'target' | 'rateHz' | 'durationMs' | 'cpuSeconds'> &
  Partial<Pick<CaptureDocument, 'collector' | 'incomplete' | 'circumstances' | 'process' | 'lostSamples'>>;

interface Found<T> {
  readonly value: T;
  readonly source: FactSource;
}

/**
 * What is known of a capture of the library, or of a file alone (`document` null). `name` is what messages call it. How many requests were
 * served, only the user knows.
 */
export function captureFacts(document: FactsDocument | null, profile: Profile, name: string): CaptureFactsFound {
  const { metadata } = profile;
  const target = document?.target ?? null;
  const found = {
    host: from('document', target?.host) ?? from('profile', metadata.hostName),
    kernel: from('document', target?.kernel) ?? from('profile', metadata.kernel),
    cpuCount: from('document', target?.cpuCount) ?? from('profile', metadata.cpuCount),
    durationSeconds: from('document', positive(document?.durationMs, 1e3)) ?? durationOf(profile),
    rateHz: from('document', positive(document?.rateHz)) ?? from('profile', rateOf(metadata)),
    cpuSeconds: from('document', cpuSecondsOf(document)),
    requests: null,
  };
  const quality = captureQuality(profile, { lost: document?.lostSamples ?? 0 });
  const facts: CaptureFacts = {
    name,
    host: found.host?.value ?? null,
    kernel: found.kernel?.value ?? null,
    cpuCount: found.cpuCount?.value ?? null,
    durationSeconds: found.durationSeconds?.value ?? null,
    ...(found.durationSeconds?.source === 'times' ? { durationIsSpan: true as const } : {}),
    ...(document !== null && isWholeRun(document) ? { isWholeRun: true as const } : {}),
    ...programOf(document),
    rateHz: found.rateHz?.value ?? null,
    cpuSeconds: found.cpuSeconds?.value ?? null,
    ...(quality === null ? {} : { quality }),
    requests: null,
    ...conditionsOf(document, metadata),
  };
  const sources = Object.fromEntries(Object.entries(found).map(([fact, one]) => [fact, one?.source ?? null]));
  return { facts, sources: sources as CaptureFactsFound['sources'] };
}

function from<T>(source: FactSource, value: T | null | undefined): Found<T> | null {
  return value === null || value === undefined || value === '' ? null : { value, source };
}

/** In units of `unit`; null where it is no positive number. */
function positive(value: number | null | undefined, unit = 1): number | null {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value / unit : null;
}

/** Importers of formats without a duration state the span of the samples' times as one. */
function durationOf({ metadata, samples: { time } }: Profile): Found<number> | null {
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

/** A period in units of time (pprof's `cpu`) is 1 ÷ rate. */
function rateOf({ rateHz, period }: ProfileMetadata): number | null {
  if (positive(rateHz) !== null) return rateHz;
  if (period === null || findUnit(period.unit)?.dimension !== 'time') return null;
  const seconds = positive(convertUnit(period.value, period.unit, 'seconds'));
  return seconds === null ? null : 1 / seconds;
}

/** Of the process that was watched, or the command that perf was given. */
function programOf(document: FactsDocument | null): Pick<CaptureFacts, 'program' | 'isSystemWide'> {
  const [command = []] = document?.collector?.commands ?? [];
  const end = command.indexOf('--');
  const options = end < 0 ? command : command.slice(0, end);
  const program = document?.process?.executable ?? document?.process?.name ?? (end < 0 ? undefined : command[end + 1]);
  return {
    ...(program === undefined ? {} : { program }),
    ...(options.includes('-a') || options.includes('--all-cpus') ? { isSystemWide: true as const } : {}),
  };
}

/** perf was given a command, and ended by itself. */
function isWholeRun({ collector, incomplete }: FactsDocument): boolean {
  if (collector === null || collector === undefined || incomplete === true) return false;
  const { commands, exitCode, signal } = collector;
  return commands[0]?.includes('--') === true && exitCode !== null && signal === null;
}

function cpuSecondsOf(document: FactsDocument | null): number | null {
  const read = document?.cpuSeconds ?? null;
  return read === null || !(read.end >= read.start) ? null : read.end - read.start;
}

function conditionsOf(document: FactsDocument | null, metadata: ProfileMetadata): Pick<CaptureFacts, 'conditions'> {
  const { collector, circumstances, process } = document ?? {};
  const average = mean([circumstances?.loadAverage.start, circumstances?.loadAverage.end]);
  const command = collector?.commands[0] ?? metadata.command?.split(/\s+/) ?? [];
  const conditions: CaptureConditions = {
    tool: toolOf(collector?.id ?? metadata.tool, collector?.toolVersion ?? metadata.toolVersion),
    callGraph: callGraphOf(command),
    buildId: process?.buildId ?? null,
    cpuModel: circumstances?.cpuModel ?? null,
    governor: circumstances?.governor ?? null,
    turbo: circumstances?.turbo ?? null,
    loadAverage: average,
    steal: circumstances?.steal ?? null,
    cgroup: circumstances?.cgroup ?? null,
  };
  return Object.values(conditions).every((value) => value === null) ? {} : { conditions };
}

function mean(values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter((value) => typeof value === 'number');
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

const toolOf = (tool: string | null, version: string | null): string | null =>
  tool === null || tool === '' ? null : version === null || version === '' ? tool : `${tool} ${version}`;

/** How `perf record` took stacks, from its arguments; null where they are no perf's. The recorded command's own follow `--`. */
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
