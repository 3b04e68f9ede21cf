import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { openCallGraphMemory, type CallGraphMemory } from '#app/engine/recording/call-graph-memory.ts';
import { defaultConfigPath } from '#app/engine/config/config-path.ts';
import type { Check } from '#core/contract/schemas.ts';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { keepSides } from '#app/engine/experiments/keep-sides.ts';
import { defaultLibraryPath } from '#app/engine/library/library-path.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import {
  commandsOf,
  linesOf,
  loggedLinesOf,
  requestsOf,
  toRecordedHost,
  type HostPlan,
} from '#app/engine/recording/plan-hosts.ts';
import { startRecording, type RecordingResult, type RecordingSession } from '#app/engine/recording/recording.ts';
import { withTargets, type CliTargets } from '../targets/cli-targets.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { toCliError } from '../engine-errors.ts';
import { captureError, usageError, type CliError } from '../errors.ts';
import { jsonText } from '../output/json-text.ts';
import { openOutput } from '../convert/output-file.ts';
import { planRecording } from './plan-recording.ts';
import { recordRows } from './collectors.ts';
import type { AskedRecording, RecordRow } from './series-options.ts';
import { capturesAsJson, describeProgress, outputName, reportCaptures, type KeptCapture } from './report.ts';
import { withRemedy } from '../report-error.ts';
import { isWatched, print, relay, say, showProgress } from '../output/terminal.ts';

export const recordCommand: CliCommand = {
  configure(command) {
    command
      .argument('[collector]')
      .action(() => undefined)
      .addHelpText('after', '\nflamebench record <collector> --help shows the options of a collector.');
    for (const row of recordRows) row.declare(command.command(row.id).description(row.summary));
  },

  /** Options may come before the collector, too. */
  arrange(argv) {
    const end = argv.indexOf('--');
    const words = end < 0 ? argv : argv.slice(0, end);
    for (const [at, word] of words.entries()) {
      const row = recordRows.find(({ id }) => id === word);
      if (row !== undefined && operandsOf(row, words.slice(0, at + 1)).join() === word) {
        return [word, ...argv.toSpliced(at, 1)];
      }
    }
    if (words.includes('--help') || words.includes('-h')) return ['--help'];
    const [name] = operandsOf(recordRows[0]!, words);
    throw usageError(
      name === undefined ? 'no collector given' : `unknown collector ${JSON.stringify(name)}`,
      `available collectors: ${recordRows.map(({ id }) => id).join(', ')}`,
    );
  },

  async run(parent: Command): Promise<ExitCode> {
    const { row, command } = chosenRow(parent);
    const request = row.read(command);
    const tellNext: TellNext = (found, target) => row.nextStep(found, target, command);
    const memory = await openCallGraphMemory(defaultConfigPath());
    return withTargets(async (targets) => {
      const plans = await planRecording(targets, request, memory);
      if (request.dryRun) printPlans(targets, plans, request.json);
      const leftOut = plans.filter((plan) => plan.plans === null);
      if (leftOut.length === plans.length) throw refusal(targets, plans);
      if (request.dryRun) return leftOut.length === 0 ? ExitCode.ok : ExitCode.captureFailed;
      for (const { targetId, checks } of leftOut) {
        say(`${targets.nameOf(targetId)} is left out: ${whatFailed(checks)}`);
      }
      await record(targets, request, plans, memory, tellNext);
      if (leftOut.length === 0) return ExitCode.ok;
      throw captureError(
        `hosts left out: ${leftOut.length} of ${plans.length}`,
        'captures of the other hosts are kept',
      );
    });
  },
};

type TellNext = (...finding: [Parameters<RecordRow['nextStep']>[0], string]) => string | null;

/** Words that are neither options nor their values. */
function operandsOf(row: RecordRow, words: readonly string[]): string[] {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  row.declare(command);
  try {
    return command.parseOptions([...words]).operands;
  } catch {
    return [];
  }
}

function chosenRow({ args, commands }: Command): { row: RecordRow; command: Command } {
  const row = recordRows.find(({ id }) => id === args[0]);
  const command = commands.find((candidate) => candidate.name() === args[0]);
  if (row === undefined || command === undefined)
    throw usageError('no collector given', 'see flamebench record --help');
  return { row, command };
}

function printPlans(targets: CliTargets, plans: readonly HostPlan[], json: boolean): void {
  if (!json) {
    for (const line of commandLines(targets, plans, linesOf)) print(`${line}\n`);
    return;
  }
  const hosts = plans.map((plan) => ({
    target: plan.targetId,
    commands: commandsOf(plan),
    requests: requestsOf(plan),
    checks: plan.checks,
  }));
  print(jsonText({ hosts }));
}

/** Those of several targets each below its name. */
function commandLines(targets: CliTargets, plans: readonly HostPlan[], describe: typeof linesOf): string[] {
  return plans.flatMap((plan) => {
    const lines = describe(plan);
    return plans.length === 1 || lines.length === 0 ? lines : [`# ${targets.nameOf(plan.targetId)}`, ...lines];
  });
}

function refusal(targets: CliTargets, plans: readonly HostPlan[]): CliError {
  const [first, ...others] = plans;
  if (others.length === 0) {
    const failed = failedCheck(first?.checks ?? []);
    return captureError(
      `can't record: ${failed?.found ?? 'the collector does not work there'}`,
      failed?.remedy ?? null,
    );
  }
  const which = plans.map(({ targetId, checks }) => `${targets.nameOf(targetId)}: ${whatFailed(checks)}`);
  return captureError(`can't record on any of ${plans.length} hosts: ${which.join(' | ')}`);
}

/** The first check that stands in the way. */
const failedCheck = (checks: readonly Check[]): Check | undefined => checks.find(({ status }) => status === 'failed');

function whatFailed(checks: readonly Check[]): string {
  const failed = failedCheck(checks);
  return withRemedy(failed?.found ?? 'the collector does not work there', failed?.remedy ?? null);
}

async function record(
  targets: CliTargets,
  request: AskedRecording,
  plans: readonly HostPlan[],
  memory: CallGraphMemory,
  tellNext: TellNext,
): Promise<void> {
  const library = await openLibrary(request.library ?? defaultLibraryPath()).catch(rethrow);
  try {
    const experiments = await openExperiments(library);
    const { into, repeat, pauseSeconds, name } = request;
    // What is recorded for an experiment that is not there would be noticed only when it has been recorded.
    if (into !== undefined) await experiments.get(into.experimentId).catch(rethrow);
    for (const line of commandLines(targets, plans, loggedLinesOf)) say(line);
    const hosts = plans.flatMap(toRecordedHost);
    const series = { hosts, repeat, pauseSeconds, name, ...(into === undefined ? {} : { into }) };
    const session = await startRecording(
      { library, keepSides: keepSides(experiments), journal: targets.registry.journal, memory },
      series,
    ).catch(rethrow);
    const result = await followSession(session, targets, tellNext);
    const kept = await keptCaptures(library, result);
    if (request.output !== null) await copyTexts(kept, request.output, hosts.length > 1);
    const isHalf = into === undefined && hosts.every(({ after }) => after === undefined);
    print(request.json ? capturesAsJson(kept, result.experimentId) : reportCaptures(kept, result.experimentId, isHalf));
    const { error, status } = result;
    if (error !== null) throw captureError(error.message, error.remedy);
    if (status.state === 'cancelled' && kept.length === 0) throw captureError('cancelled; nothing was kept');
    throwIfIncomplete(kept);
    throwIfEmpty(kept);
  } finally {
    library.close();
  }
}

/** What was kept is there, but less than was asked for: scripts see it by the exit code. */
function throwIfIncomplete(kept: readonly KeptCapture[]): void {
  const incomplete = kept.map(({ document }) => document).filter((document) => document.incomplete);
  const [first] = incomplete;
  const reason = first?.diagnostics[0];
  if (first === undefined || reason === undefined) return;
  const what =
    kept.length === 1
      ? 'the capture is incomplete'
      : `${incomplete.length} of ${kept.length} captures are incomplete, such as ${first.name}`;
  throw captureError(`${what}: ${reason.message.replace(/\.$/, '')}`, reason.remedy);
}

/** A capture without a sample is kept for what it says of itself; for scripts nothing was recorded. */
function throwIfEmpty(kept: readonly KeptCapture[]): void {
  const empty = kept.filter(({ document }) => document.samples === 0);
  if (empty.length === 0) return;
  throw captureError(
    kept.length === 1 ? 'no sample was recorded' : `${empty.length} of ${kept.length} captures have no sample`,
    'record while the target works, for longer, or at a higher rate',
  );
}

/** Shows the progress where a terminal is. Ctrl-C keeps what there is, a second one discards it. */
async function followSession(
  session: RecordingSession,
  targets: CliTargets,
  tellNext: TellNext,
): Promise<RecordingResult> {
  const interrupt = endOnSignals(session);
  if (isWatched()) {
    session.onStatus((status) => {
      if (!targets.isAsking) showProgress(describeProgress(status));
    });
  }
  tellFindings(session, targets, tellNext);
  const result = await session.ended;
  showProgress('');
  interrupt.off();
  return result;
}

/** Once for each host, as soon as it is known, with the command that avoids it. */
function tellFindings(session: RecordingSession, targets: CliTargets, tellNext: TellNext): void {
  const told = new Set<string>();
  session.onStatus(({ hosts }) => {
    for (const { target, finding } of hosts) {
      if (finding === undefined || told.has(target)) continue;
      told.add(target);
      showProgress('');
      say(`${targets.nameOf(target)}: ${finding.message}`);
      const next = tellNext(finding.options, target);
      if (next !== null) say(next);
    }
  });
}

function endOnSignals(session: RecordingSession): { off(): void } {
  let asked = false;
  const end = (): void => {
    void (asked ? session.cancel() : session.stop());
    if (!asked && isWatched()) relay('\nstopping; press Ctrl-C again to discard the recording\n');
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

async function copyTexts(kept: readonly KeptCapture[], path: string, tellsHost: boolean): Promise<void> {
  for (const { file, document } of kept) {
    const output = openOutput(outputName(path, document.series, tellsHost ? (document.target?.host ?? null) : null));
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
