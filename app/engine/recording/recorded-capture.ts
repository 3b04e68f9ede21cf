import type { CgroupLimits, Throttling } from '#core/contract/capture-facts.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { commandsOf, type RecordingOutcome } from '#collectors/collector.ts';
import { requestsOf } from '#collectors/describe-plan.ts';
import { stealBetween, type LoadReading, type MachineSettings } from '#collectors/target/circumstances.ts';
import { diagnostic, type Diagnostic } from '#core/model/diagnostics.ts';
import type { MachineFacts } from '#collectors/target/machine-facts.ts';
import { redactArgv, redactCommandLine } from '#core/redact/redact-argv.ts';
import { redactOptions } from '#core/redact/redact-document.ts';
import type { Target } from '#collectors/target/target.ts';
import type { NewCapture } from '../library/captures/writer.ts';
import type { RecordedSubject } from './recorded-subject.ts';

interface SeriesRun {
  readonly seriesId: string;
  /** Counted over all subjects, from 0. */
  readonly run: number;
  readonly runs: number;
  /** Counted within its subject, from 0. */
  readonly repetition: number;
  readonly repeat: number;
  /** Null names the capture after what is recorded. */
  readonly name: string | null;
  /** True if the name includes the host. */
  readonly tellsHost: boolean;
}

/** Returns what is known about a capture before anything has run. */
export function describeCapture(
  { side, plan, process, collector, goProcess, commit }: RecordedSubject,
  { seriesId, run, runs, repetition, repeat, name, tellsHost }: SeriesRun,
  target: Pick<Target, 'kind' | 'host'>,
  machine: MachineFacts,
): NewCapture {
  const { output } = collector;
  const requests = requestsOf(plan).map(redactCommandLine);
  const title = [
    name ?? collector.title(plan.options, process),
    tellsHost ? `on ${target.host}` : null,
    side,
    repeat > 1 ? `(${repetition + 1}/${repeat})` : null,
  ];
  return {
    name: title.filter((part) => part !== null).join(' '),
    origin: 'recorded',
    primaryFile: output.primaryFile,
    otherFiles: [...plan.otherFiles],
    format: output.format,
    collector: {
      id: plan.collector,
      toolVersion: plan.toolVersion,
      commands: [...commandsOf(plan), ...(plan.launch === undefined ? [] : [plan.launch])].map(redactArgv),
      ...(requests.length === 0 ? {} : { requests }),
      exitCode: null,
      signal: null,
    },
    target: { kind: target.kind, host: target.host, ...machine },
    process,
    ...(goProcess === null ? {} : { goProcess }),
    ...(commit === null ? {} : { commit }),
    event: plan.event,
    rateHz: plan.rateHz,
    options: redactOptions(plan.options),
    series: runs > 1 ? { id: seriesId, run, of: runs, ...(side === null ? {} : { side }) } : null,
  };
}

/** Returns how the machine was configured and loaded during a capture. */
export function describeCircumstances(
  settings: MachineSettings,
  { cgroup }: Pick<RecordedSubject, 'cgroup'>,
  { start, end }: { readonly start: LoadReading; readonly end: LoadReading },
  throttled: Throttling | null,
  overhead: number | null | undefined,
): Pick<CaptureDocument, 'circumstances'> {
  return {
    circumstances: {
      ...settings,
      loadAverage: { start: start.average, end: end.average },
      steal: stealBetween(start, end),
      cgroup,
      ...(overhead === undefined ? {} : { overhead }),
      ...(throttled === null ? {} : { throttled }),
    },
  };
}

/** Says that a capture's process had to wait for CPU time that its control group's limit withheld. */
export function describeThrottling(throttled: Throttling | null, limits: CgroupLimits | null): Diagnostic[] {
  if (throttled === null || throttled.throttledPeriods === 0) return [];
  const { periods, throttledPeriods, ms } = throttled;
  const limit = limits === null || limits.cpus === null ? 'its CPU limit' : `its limit of ${limits.cpus} CPUs`;
  return [
    diagnostic(
      'cpu-throttled',
      `The control group used up ${limit} in ${throttledPeriods} of ${periods} periods and waited ${(ms / 1000).toFixed(1)} s.`,
      {
        remedy: 'An on-CPU profile does not show this waiting: raise the limit, or compare captures with the same one.',
      },
    ),
  ];
}

/** Returns what is known about a capture afterwards. */
export function describeOutcome(
  outcome: RecordingOutcome,
  { collector }: Pick<CaptureDocument, 'collector'>,
): Partial<CaptureDocument> & Pick<CaptureDocument, 'diagnostics'> {
  return {
    state: 'finished',
    incomplete: outcome.incomplete,
    primaryFile: outcome.primaryFile,
    otherFiles: [...outcome.otherFiles],
    collector: collector && {
      ...collector,
      exitCode: outcome.exit?.code ?? null,
      signal: outcome.exit?.signal ?? null,
    },
    event: outcome.event,
    ...(outcome.rateHz === undefined ? {} : { rateHz: outcome.rateHz }),
    startedAt: outcome.startedAt,
    durationMs: outcome.durationMs === null ? null : Math.round(outcome.durationMs),
    samples: outcome.samples,
    lostSamples: outcome.lost,
    cpuSeconds: outcome.cpuSeconds,
    diagnostics: [...outcome.diagnostics],
    ...(outcome.quality === null ? {} : { quality: outcome.quality }),
  };
}
