import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import {
  openCallGraphMemory,
  rememberingCollector,
  type CallGraphMemory,
} from '#app/engine/recording/call-graph-memory.ts';
import { defaultConfigPath } from '#app/engine/config/config-path.ts';
import type { Check, CollectorOptions, RecordingStatus } from '#core/contract/schemas.ts';
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
import type { AskedRecording, NextStep, RecordRow } from './series-options.ts';
import { canReadKeys, readRestartKey, RESTART_KEY, type RestartKey } from './restart-key.ts';
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

type TellNext = (found: CollectorOptions, target: string) => NextStep;
type Finding = NonNullable<RecordingStatus['finding']>;

/** What a recording is made and made again of. */
interface Asked {
  readonly targets: CliTargets;
  readonly request: AskedRecording;
  readonly memory: CallGraphMemory;
  readonly tellNext: TellNext;
}

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
    const context = { library, keepSides: keepSides(experiments), journal: targets.registry.journal, memory };
    const series = { repeat, pauseSeconds, name, ...(into === undefined ? {} : { into }) };
    const result = await recordAsPlanned({ targets, request, memory, tellNext }, plans, (planned) =>
      startRecording(context, { ...series, hosts: planned.flatMap(toRecordedHost) }).catch(rethrow),
    );
    const hosts = plans.flatMap(toRecordedHost);
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

/**
 * A capture without a sample is kept for what it says of itself; for scripts nothing was recorded. One of several kinds may be empty, as
 * mutex is where the program does not ask for it.
 */
function throwIfEmpty(kept: readonly KeptCapture[]): void {
  const empty = kept.filter(({ document }) => document.samples === 0);
  const isOfKinds = new Set(kept.map(({ document }) => document.event)).size > 1;
  if (empty.length === 0 || (isOfKinds && empty.length < kept.length)) return;
  throw captureError(
    kept.length === 1 ? 'no sample was recorded' : `${empty.length} of ${kept.length} captures have no sample`,
    'record while the target works, for longer, or at a higher rate',
  );
}

/** Records as planned; where the user restarts with what was found, as planned again. The commands are shown before they run. */
async function recordAsPlanned(
  asked: Asked,
  plans: readonly HostPlan[],
  start: (plans: readonly HostPlan[]) => Promise<RecordingSession>,
): Promise<RecordingResult> {
  const { targets, memory, tellNext } = asked;
  for (const line of commandLines(targets, plans, loggedLinesOf)) say(line);
  const session = await start(plans);
  let better: readonly HostPlan[] | null = null;
  const request = asked.request;
  const result = await followSession(session, targets, tellNext, async (finding) => {
    const planned = await planRecording(targets, corrected(request, finding, memory), memory);
    if (planned.every((plan) => plan.plans === null)) return say(refusal(targets, planned).message);
    better = planned;
    await session.cancel();
  });
  if (better === null || result.status.state !== 'cancelled') return result;
  const again = await recordAsPlanned(asked, better, start);
  return { ...again, captures: [...result.captures, ...again.captures] };
}

/** The same recording with what was found. */
function corrected(request: AskedRecording, { options }: Finding, memory: CallGraphMemory): AskedRecording {
  const correct = (one: CollectorOptions): CollectorOptions =>
    rememberingCollector(one.collector, memory).correct(one, options);
  return {
    ...request,
    async sides(index, target, where) {
      const [before, after] = await request.sides(index, target, where);
      return [correct(before), after && correct(after)];
    },
  };
}

/**
 * Shows the progress where a terminal is. Ctrl-C keeps what there is, a second one discards it; a key restarts it where its stacks are cut.
 */
async function followSession(
  session: RecordingSession,
  targets: CliTargets,
  tellNext: TellNext,
  restart: (finding: Finding) => Promise<void>,
): Promise<RecordingResult> {
  const interrupt = endOnSignals(session);
  if (isWatched()) {
    session.onStatus((status) => {
      if (!targets.isAsking) showProgress(describeProgress(status));
    });
  }
  const key = tellFindings(session, targets, tellNext, restart);
  const result = await session.ended;
  key.off();
  showProgress('');
  interrupt.off();
  return result;
}

/** Once for each host, as soon as it is known, with the key or the command that avoids it. */
function tellFindings(
  session: RecordingSession,
  targets: CliTargets,
  tellNext: TellNext,
  restart: (finding: Finding) => Promise<void>,
): { off(): void } {
  const told = new Set<string>();
  let key: RestartKey | null = null;
  session.onStatus(({ hosts, finding }) => {
    for (const host of hosts) {
      if (host.finding === undefined || told.has(host.target)) continue;
      told.add(host.target);
      const { options, message, label } = host.finding;
      const { happens, again } = tellNext(options, host.target);
      const isOffered = again !== null && canReadKeys();
      if (isOffered) {
        key ??= readRestartKey(
          () => targets.isAsking,
          once(() => restart(finding ?? host.finding!)),
        );
      }
      showProgress('');
      say(`${targets.nameOf(host.target)}: ${message}`);
      if (happens !== null) say(happens);
      if (isOffered) say(`Press ${RESTART_KEY}: ${label}. The recording so far is discarded.`);
      else if (again !== null && happens === null) say(`${label} (Ctrl-C twice, then): ${again}`);
    }
    key?.listen();
  });
  return { off: () => key?.off() };
}

/** The first call; what it fails with leaves the recording as it is. */
function once(action: () => Promise<void>): () => void {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    action().catch((error: unknown) => say(`can't restart: ${messageOf(toCliError(error))}`));
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

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
