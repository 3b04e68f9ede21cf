import type { CaptureDocument, CgroupLimits, ProcessRow, Side } from '#core/contract/schemas.ts';
import { commandsOf, type AnyCollector, type AnyPlan, type RecordingOutcome } from '#collectors/collector.ts';
import { requestsOf } from '#collectors/describe-plan.ts';
import { stealBetween, type LoadReading, type MachineSettings } from '#collectors/target/circumstances.ts';
import type { MachineFacts } from '#collectors/target/machine-facts.ts';
import { redactArgv, redactCommandLine } from '#core/redact/redact-argv.ts';
import { redactOptions } from '#core/redact/redact-document.ts';
import type { Target } from '#collectors/target/target.ts';
import type { NewCapture } from '../library/capture-writer.ts';

/** What is recorded. */
export interface Subject {
  /** Null: not one of two sides. */
  readonly side: Side | null;
  /** Of its next run. */
  plan: AnyPlan;
  readonly collector: AnyCollector;
  /** Where one is watched. */
  readonly process: ProcessRow | null;
  /** Of the process, or of what starts the command; null where they can't be read, and for a whole system. */
  readonly cgroup: CgroupLimits | null;
}

/** One run of a series. */
export interface SeriesRun {
  readonly seriesId: string;
  /** Over all subjects, 0-based. */
  readonly run: number;
  readonly runs: number;
  /** Of its subject, 0-based. */
  readonly repetition: number;
  readonly repeat: number;
  /** Null: named after what is recorded. */
  readonly name: string | null;
  /** The name tells the host. */
  readonly tellsHost: boolean;
}

/** What is known of a capture before anything has run. */
export function describeCapture(
  { side, plan, process, collector }: Subject,
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
      commands: commandsOf(plan).map(redactArgv),
      ...(requests.length === 0 ? {} : { requests }),
      exitCode: null,
      signal: null,
    },
    target: { kind: target.kind, host: target.host, ...machine },
    process,
    event: plan.event,
    rateHz: plan.rateHz,
    options: redactOptions(plan.options),
    series: runs > 1 ? { id: seriesId, run, of: runs, ...(side === null ? {} : { side }) } : null,
  };
}

/** How the machine was set up and loaded during a capture. */
export function describeCircumstances(
  settings: MachineSettings,
  { cgroup }: Pick<Subject, 'cgroup'>,
  start: LoadReading,
  end: LoadReading,
): Pick<CaptureDocument, 'circumstances'> {
  return {
    circumstances: {
      ...settings,
      loadAverage: { start: start.average, end: end.average },
      steal: stealBetween(start, end),
      cgroup,
    },
  };
}

/** What is known of it afterwards. */
export function describeOutcome(
  outcome: RecordingOutcome,
  { collector }: Pick<CaptureDocument, 'collector'>,
): Partial<CaptureDocument> {
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
    startedAt: outcome.startedAt,
    durationMs: Math.round(outcome.durationMs),
    samples: outcome.samples,
    lostSamples: outcome.lost,
    cpuSeconds: outcome.cpuSeconds,
    diagnostics: [...outcome.diagnostics],
    ...(outcome.quality === null ? {} : { quality: outcome.quality }),
  };
}
