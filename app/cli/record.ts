import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Check } from '#core/contract/schemas.ts';
import { perfCollector } from '#collectors/perf/collector.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { quoteArgv } from '#collectors/target/quote-argv.ts';
import type { Target } from '#collectors/target/target.ts';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { keepSides } from '#app/engine/experiments/keep-sides.ts';
import { defaultLibraryPath } from '#app/engine/library/library-path.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { preflightSides, type SidesPreflight } from '#app/engine/preflight-sides.ts';
import {
  startRecording,
  type RecordingRequest,
  type RecordingResult,
  type RecordingSession,
} from '#app/engine/recording.ts';
import { ExitCode, type CliCommand } from './command.ts';
import { toCliError } from './engine-errors.ts';
import { captureError, type CliError } from './errors.ts';
import { openOutput } from './output-file.ts';
import { declareRecordOptions, readRecordRequest, type RecordRequest } from './record-options.ts';
import { capturesAsJson, describeProgress, outputName, reportCaptures, type KeptCapture } from './record-report.ts';

export const recordCommand: CliCommand = {
  configure: declareRecordOptions,

  async run(command: Command): Promise<ExitCode> {
    const request = readRecordRequest(command);
    const target = createLocalTarget();
    try {
      const preflight = await preflightSides(perfCollector, target, request.options, request.after);
      if (request.dryRun) return printPlan(preflight, request.json);
      if (preflight.plans === null) throw refusal(preflight.checks);
      return await record(target, request, preflight.plans);
    } finally {
      await target.dispose();
    }
  },
};

function printPlan({ checks, plans }: SidesPreflight, json: boolean): ExitCode {
  const commands = (plans ?? []).flatMap((plan) => plan.commands);
  if (json) process.stdout.write(`${JSON.stringify({ commands, checks }, null, 2)}\n`);
  else process.stdout.write(commands.map((argv) => `${quoteArgv(argv)}\n`).join(''));
  if (plans === null) throw refusal(checks);
  return ExitCode.ok;
}

/** The first check that stands in the way. */
function refusal(checks: readonly Check[]): CliError {
  const failed = checks.find(({ status }) => status === 'failed');
  return captureError(`can't record: ${failed?.found ?? 'perf does not work here'}`, failed?.remedy ?? null);
}

async function record(
  target: Target,
  request: RecordRequest,
  plans: NonNullable<SidesPreflight['plans']>,
): Promise<ExitCode> {
  const library = await openLibrary(request.library ?? defaultLibraryPath()).catch(rethrow);
  try {
    const experiments = await openExperiments(library);
    // What is recorded for an experiment that is not there would be noticed only when it has been recorded.
    if (request.into !== undefined) await experiments.get(request.into.experimentId).catch(rethrow);
    const context = { library, target, keepSides: keepSides(experiments) };
    for (const argv of plans.flatMap(({ commands }) => commands)) process.stderr.write(`${quoteArgv(argv)}\n`);
    const session = await startRecording(context, recordingRequest(request, plans)).catch(rethrow);
    const result = await followSession(session);
    const kept = await keptCaptures(library, result);
    if (request.output !== null) await copyTexts(kept, request.output);
    const report = request.json ? capturesAsJson : reportCaptures;
    process.stdout.write(report(kept, result.experimentId));
    const { error, status } = result;
    if (error !== null) throw captureError(error.message, error.remedy);
    if (status.state === 'cancelled' && kept.length === 0) throw captureError('cancelled; nothing was kept');
    throwIfIncomplete(kept);
    return ExitCode.ok;
  } finally {
    library.close();
  }
}

function recordingRequest(
  { repeat, pauseSeconds, name, into }: RecordRequest,
  [plan, after]: NonNullable<SidesPreflight['plans']>,
): RecordingRequest {
  return {
    plan,
    repeat,
    pauseSeconds,
    name,
    ...(after === undefined ? {} : { after }),
    ...(into === undefined ? {} : { into }),
  };
}

/** What was kept is there, but less than was asked for: scripts see it by the exit code. */
function throwIfIncomplete(kept: readonly KeptCapture[]): void {
  const reason = kept.find(({ document }) => document.incomplete)?.document.diagnostics[0];
  if (reason === undefined) return;
  throw captureError(`the capture is incomplete: ${reason.message.replace(/\.$/, '')}`, reason.remedy);
}

/** Shows the progress where a terminal is. Ctrl-C keeps what there is, a second one discards it. */
async function followSession(session: RecordingSession): Promise<RecordingResult> {
  const interrupt = endOnSignals(session);
  if (process.stderr.isTTY) {
    session.onStatus((status) => process.stderr.write(`\r\u001b[K${describeProgress(status)}`));
  }
  const result = await session.ended;
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  interrupt.off();
  return result;
}

function endOnSignals(session: RecordingSession): { off(): void } {
  let asked = false;
  const end = (): void => {
    void (asked ? session.cancel() : session.stop());
    if (!asked && process.stderr.isTTY) process.stderr.write('\nstopping; Ctrl-C again discards it\n');
    asked = true;
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, end);
  return {
    off() {
      for (const signal of signals) process.off(signal, end);
    },
  };
}

function keptCaptures(library: Library, { captures }: RecordingResult): Promise<KeptCapture[]> {
  return Promise.all(
    captures.map(async (document) => ({
      document: await library.get(document.id),
      file: join(library.path, document.id, document.primaryFile),
    })),
  );
}

async function copyTexts(kept: readonly KeptCapture[], path: string): Promise<void> {
  for (const { file, document } of kept) {
    const output = openOutput(outputName(path, document.series));
    try {
      for await (const chunk of createReadStream(file) as AsyncIterable<Uint8Array>) output.write(chunk);
    } catch (error) {
      output.discard();
      throw error;
    }
    output.commit();
  }
}

function rethrow(error: unknown): never {
  throw toCliError(error);
}
