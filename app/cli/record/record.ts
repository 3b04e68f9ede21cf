import { join } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { openCollectorMemory } from '#app/engine/recording/collector-memory.ts';
import { collectors, collectorsWith } from '#collectors/registry.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import { defaultConfigPath } from '#app/engine/config/config-path.ts';
import { fileSource } from '#app/engine/files/file-source.ts';
import type { CollectorOptions, RecordingStatus } from '#core/contract/schemas.ts';
import { messageOf } from '#core/model/failure.ts';
import { openExperiments, keepSides } from '#app/engine/experiments/experiments.ts';
import { defaultLibraryPath } from '#app/engine/library/library-path.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { loggedLinesOf, toRecordedHost, planHosts, type HostPlan } from '#app/engine/recording/plan-hosts.ts';
import { startRecording, type RecordingResult, type RecordingSession } from '#app/engine/recording/recording.ts';
import { withTargets, type CliTargets } from '../targets/cli-targets.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { rethrow, toCliError } from '../engine-errors.ts';
import { captureError, usageError } from '../errors.ts';
import { chooseCollector, commandOf, namesProcess } from './choose-collector.ts';
import { endOnSignals } from './end-on-signals.ts';
import { recordingExitCode } from './exit-code.ts';
import { commandLines, printPlans, planRefusal, failedCheckText } from './plan-text.ts';
import { recordRows } from './collectors.ts';
import type { AskedRecording, NextStep, RecordRow } from './series-options.ts';
import { canReadKeys, readRestartKey, RESTART_KEY, type RestartKey } from './restart-key.ts';
import {
  capturesAsJson,
  describeOverheads,
  describeProgress,
  outputName,
  reportCaptures,
  type KeptCapture,
} from './report.ts';
import { saveOutput, writeOutput } from '../output/output-file.ts';
import {
  isWatched,
  print,
  programInput,
  programOutput,
  relay,
  say,
  sayAlways,
  showProgress,
} from '../output/terminal.ts';
import type { ProgramStreams } from '#collectors/target/launched-program.ts';
import type { Target } from '#collectors/target/target.ts';

// A recording validates a few small documents; generating code for their schemas takes longer than that saves.
z.config({ jitless: true });

export const recordCommand: CliCommand = {
  configure(command) {
    command
      .argument('[collector]')
      .action(() => undefined)
      .addHelpText('after', '\nflamebench record <collector> --help shows the options of a collector.');
    command.command(CHOOSE, { hidden: true }).argument('[words...]');
    for (const row of recordRows) {
      const declared = command.command(row.id).description(row.summary);
      row.declare(declared);
      declared.addHelpText('after', `\nExample:\n  ${row.example}`);
    }
  },

  /** Options may also come before the collector. */
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
    if (name === undefined && namesProcess(words)) return [CHOOSE, '--', ...argv];
    throw usageError(
      name === undefined ? 'no collector given' : `unknown collector ${JSON.stringify(name)}`,
      `available collectors: ${recordRows.map(({ id }) => id).join(', ')}`,
    );
  },

  async run(parent: Command): Promise<number> {
    const chosen = parent.args[0] === CHOOSE ? await chooseCollector(parent.args.slice(1)) : chosenRow(parent);
    if (chosen === null) return ExitCode.ok;
    const { row, command } = chosen;
    const request = await row.read(command);
    if (request.maxOverhead !== undefined && request.program !== undefined)
      throw usageError(
        '--max-overhead is for running processes',
        'a program that Flamebench starts would count as its overhead',
      );
    const nextStepOf: NextStepOf = (found, target) => row.nextStep(found, target, command);
    const memory = openCollectorMemory(defaultConfigPath());
    try {
      return await withTargets(async (targets) => {
        const collector = collectorsWith({ memory, openTarget: (id) => targets.open(id) });
        const asked = { targets, request, collector, nextStepOf };
        const plans = await planRecording(asked);
        if (request.dryRun) printPlans(targets, plans, request.json);
        const leftOut = plans.filter((plan) => plan.plans === null);
        if (leftOut.length === plans.length) throw planRefusal(targets, plans);
        if (request.dryRun) return leftOut.length === 0 ? ExitCode.ok : ExitCode.captureFailed;
        for (const { targetId, checks } of leftOut) {
          sayAlways(`${targets.nameOf(targetId)} is left out: ${failedCheckText(checks)}`);
        }
        const exitCode = await record(asked, plans);
        if (leftOut.length === 0) return exitCode;
        throw captureError(
          `hosts left out: ${leftOut.length} of ${plans.length}`,
          'captures of the other hosts are kept',
        );
      });
    } finally {
      await memory.close();
    }
  },
};

/** Stands for a collector that the process suggests. */
const CHOOSE = 'choose';

type CollectorOf = ReturnType<typeof collectorsWith>;
type NextStepOf = (found: CollectorOptions, target: string) => NextStep;
type Finding = NonNullable<RecordingStatus['finding']>;

/** The inputs of a recording or its restart. */
interface Asked {
  readonly targets: CliTargets;
  readonly request: AskedRecording;
  readonly collector: CollectorOf;
  readonly nextStepOf: NextStepOf;
}

/** Returns the words that are neither options nor their values. */
function operandsOf(row: RecordRow, words: readonly string[]): string[] {
  try {
    return commandOf(row).parseOptions([...words]).operands;
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

async function record(asked: Asked, plans: readonly HostPlan[]): Promise<number> {
  const { targets, request, collector } = asked;
  const library = await openLibrary(request.library ?? defaultLibraryPath()).catch(rethrow);
  try {
    const experiments = await openExperiments(library);
    const { repeat, pauseSeconds, name, wave, maxOverhead } = request;
    // Otherwise a missing experiment would be noticed only after recording.
    const into = request.into && (await experimentOf(library, request.into).catch(rethrow));
    const streams = request.program === undefined ? {} : { streams: commandStreams(plans.length) };
    const context = {
      library,
      keepSides: keepSides(experiments),
      journal: targets.registry.journal,
      collector,
      ...streams,
    };
    const series = { repeat, pauseSeconds, name, into, wave, maxOverhead };
    const result = await recordAsPlanned(asked, plans, (planned) =>
      startRecording(context, { ...series, hosts: planned.flatMap(toRecordedHost) }).catch(rethrow),
    );
    const hosts = plans.flatMap(toRecordedHost);
    const kept = await keptCaptures(library, result);
    if (maxOverhead !== undefined) say(describeOverheads(kept));
    const isHalf = into === undefined && hosts.every(({ after }) => after === undefined);
    const json = request.json ? capturesAsJson(kept, result.experimentId) : null;
    if (request.program !== undefined && json !== null && request.output !== null) {
      saveOutput(request.output, request, json);
    } else {
      if (request.output !== null) await copyTexts(kept, request.output, request.force, hosts.length > 1);
      const report = json ?? reportCaptures(kept, result.experimentId, isHalf, request.library ?? undefined);
      // With a recorded program, stdout belongs to it.
      if (request.program === undefined) print(report);
      else relay(report);
    }
    return recordingExitCode(result, kept, request.program?.exitCode ?? 'capture');
  } finally {
    library.close();
  }
}

async function experimentOf(library: Library, into: NonNullable<AskedRecording['into']>) {
  const { findNamed } = await import('#app/engine/library/find-named.ts');
  return { ...into, experimentId: (await findNamed(library, into.experimentId, ['experiment'])).id };
}

/**
 * Returns this command's own streams, for a program recorded on another machine. Several programs share the outputs,
 * and none of them gets the input.
 */
function commandStreams(programs: number): ProgramStreams {
  return {
    stdin: programs === 1 ? programInput() : null,
    stdout: (chunk) => programOutput('stdout', chunk),
    stderr: (chunk) => programOutput('stderr', chunk),
  };
}

/**
 * Records as planned; if the user restarts with the finding's correction, plans and records again. Commands are shown
 * before they run.
 */
async function recordAsPlanned(
  asked: Asked,
  plans: readonly HostPlan[],
  start: (plans: readonly HostPlan[]) => Promise<RecordingSession>,
): Promise<RecordingResult> {
  const { targets, request } = asked;
  for (const line of commandLines(targets, plans, loggedLinesOf)) say(line);
  const session = await start(plans);
  let better: readonly HostPlan[] | null = null;
  const result = await followSession(session, asked, async (finding) => {
    const planned = await planRecording({ ...asked, request: corrected(request, finding) });
    if (planned.every((plan) => plan.plans === null)) return sayAlways(planRefusal(targets, planned).message);
    better = planned;
    await session.cancel();
  });
  if (better === null || result.status.state !== 'cancelled') return result;
  const again = await recordAsPlanned(asked, better, start);
  return { ...again, captures: [...result.captures, ...again.captures] };
}

/** Returns the same recording with the finding's correction. */
function corrected(request: AskedRecording, { options }: Finding): AskedRecording {
  const correct = (one: CollectorOptions): CollectorOptions => collectors[one.collector].correct?.(one, options) ?? one;
  return {
    ...request,
    async sides(...host) {
      const [before, after] = await request.sides(...host);
      return [correct(before), after && correct(after)];
    },
  };
}

/** Shows progress on a terminal, where a key restarts a recording with truncated stacks. */
async function followSession(
  session: RecordingSession,
  asked: Asked,
  restart: (finding: Finding) => Promise<void>,
): Promise<RecordingResult> {
  const { targets, request } = asked;
  const { program } = request;
  const interrupt = endOnSignals(session, {
    sharesTerminal: program !== undefined && request.targets.includes(LOCAL_TARGET),
  });
  // A recorded program prints to the same terminal.
  if (isWatched() && program === undefined) {
    session.onStatus((status) => {
      if (!targets.isAsking) showProgress(describeProgress(status));
    });
  }
  reportFailures(session, targets);
  const key = reportFindings(session, asked, restart);
  const result = await session.ended;
  key.off();
  showProgress('');
  interrupt.off();
  return result;
}

/** Reports each host that fails while others record; the end names them again. */
function reportFailures(session: RecordingSession, targets: Asked['targets']): void {
  const told = new Set<string>();
  session.onStatus(({ hosts, state }) => {
    for (const { target, error } of hosts) {
      if (error === null || state === 'failed' || told.has(target)) continue;
      told.add(target);
      showProgress('');
      say(`${targets.nameOf(target)} failed: ${error}`);
    }
  });
}

/** Reports each host's finding once, as soon as it is known, with the key or the command that avoids it. */
function reportFindings(
  session: RecordingSession,
  { targets, nextStepOf, request }: Asked,
  restart: (finding: Finding) => Promise<void>,
): { off(): void } {
  const told = new Set<string>();
  let key: RestartKey | null = null;
  session.onStatus(({ hosts, finding }) => {
    for (const host of hosts) {
      if (host.finding === undefined || told.has(host.target)) continue;
      told.add(host.target);
      const { options, message, label } = host.finding;
      const { happens, again } = nextStepOf(options, host.target);
      const isOffered = again !== null && request.program === undefined && canReadKeys();
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
      else if (again !== null && happens === null) say(`${label} (stop this one, then): ${again}`);
    }
    key?.listen();
  });
  return { off: () => key?.off() };
}

/** Runs the action at the first call only; its failure leaves the recording unchanged. */
function once(action: () => Promise<void>): () => void {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    action().catch((error: unknown) => sayAlways(`can't restart: ${messageOf(toCliError(error))}`));
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

async function copyTexts(
  kept: readonly KeptCapture[],
  path: string,
  force: boolean,
  tellsHost: boolean,
): Promise<void> {
  for (const { file, document } of kept) {
    const name = outputName(path, document.series, tellsHost ? (document.target?.host ?? null) : null);
    await writeOutput(name, { force }, async (output) => {
      for await (const chunk of fileSource(file).chunks()) output.write(chunk);
    });
  }
}

/** Plans the requested recording on each target. Throws a usage error if a word does not name a target. */
async function planRecording({ targets, request, collector }: Pick<Asked, 'targets' | 'request' | 'collector'>) {
  const ids = await targets.resolve(request.targets);
  const helpers = await targets.resolve(request.helpers ?? []);
  const hosts = ids.map((targetId, index) => ({
    targetId,
    options: (target: Target) => request.sides(index, target, targets.nameOf(targetId), helpers),
  }));
  return planHosts(collector, (id) => targets.open(id), hosts);
}
