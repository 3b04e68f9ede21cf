import type { Command } from 'commander';
import { resolve } from 'node:path';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import type { PerfScriptAnswer, PerfScriptProgress } from '#core/contract/source.ts';
import type { Check } from '#core/contract/schemas.ts';
import { countText, formatShare } from '#core/units/format.ts';
import { ImportFailure } from '#core/model/failure.ts';
import { planDataScript, startDataScript, type DataScriptRequest } from '#collectors/perf/data-script.ts';
import { readPerfData } from '#collectors/perf/read-perf-data.ts';
import { unresolvedShare } from '#collectors/perf/script-stats.ts';
import type { Target } from '#collectors/target/target.ts';
import { isFileWord, STDIO } from '#app/engine/files/classify-word.ts';
import { fileSource } from '#app/engine/files/file-source.ts';
import type { Library } from '#app/engine/library/library.ts';
import {
  keepPerfScript,
  planCapturePerfScript,
  readingFailure,
  type PlannedPerfScript,
} from '#app/engine/source/perf-script-service.ts';
import { findCapture } from '../library/find-input.ts';
import { LIBRARY_OPTION } from '../library/library-option.ts';
import { openCliLibrary } from '../library/open-library.ts';
import { withTargets } from '../targets/cli-targets.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { toCliError } from '../engine-errors.ts';
import { inputError, usageError } from '../errors.ts';
import { jsonText } from '../output/json-text.ts';
import { mayReadBeside } from '../input/read-input.ts';
import { FORCE_OPTION, outputOption, writeOutput } from '../output/output-file.ts';
import { isWatched, print, say, showProgress, warn } from '../output/terminal.ts';
import { untilInterrupted } from '../until-interrupted.ts';
import { printCommands, refusedInput, warnOfChecks } from './planned-commands.ts';

interface PerfScriptOptions {
  readonly target: string;
  readonly output?: string;
  readonly trust?: true;
  readonly force?: true;
  readonly dryRun?: true;
  readonly json?: true;
  readonly library?: string;
}

/** The requested run. */
interface RequestedPerfScript extends Pick<PlannedPerfScript, 'target' | 'request' | 'plan'> {
  /** Null for a file outside the library. */
  readonly capture: PlannedPerfScript | null;
}

export const perfScriptCommand: CliCommand = {
  configure(command: Command): void {
    command
      .argument('<in>', 'a perf.data, or the id of a capture that holds one')
      .option(
        '--target <target>',
        'where to run perf: ssh://[user@]host[:port], or a name from flamebench targets',
        'local',
      )
      .addOption(
        outputOption('file for the text, - is stdout; default: stdout for a file, the capture itself for a capture'),
      )
      .option(...FORCE_OPTION)
      .option('--trust', 'allow a capture that Flamebench did not record there; you trust who made it')
      .option('--dry-run', 'print what would run, without running it')
      .option('--json', 'print JSON')
      .option(...LIBRARY_OPTION);
  },

  async run(command: Command): Promise<ExitCode> {
    const [word = ''] = command.args;
    const options = command.opts<PerfScriptOptions>();
    const isCapture = !isFileWord(word);
    const output = options.output ?? (isCapture ? null : STDIO);
    if (options.json === true && output === STDIO && options.dryRun !== true) {
      throw usageError('the text and JSON can’t both go to the standard output', 'name a file for the text: -o FILE');
    }
    const library = isCapture ? await openCliLibrary(options.library) : null;
    try {
      return await withTargets(async (targets) => {
        const id = await targets.resolveOne(options.target);
        const open = (): Promise<Target> => targets.open(id);
        if (library === null && options.trust !== true && !(await mayReadBeside(word)))
          throw inputError(NOT_TRUSTED, TRUST);
        const { planned, checks } =
          library === null
            ? await planFile(word, open)
            : await planCapture(library, (await findCapture(library, word)).id, open, options.trust === true);
        const command = planned?.plan.command ?? null;
        if (options.dryRun === true)
          printCommands(command === null ? [] : [command], { command, checks }, options.json);
        else if (command !== null) say(`$ ${quoteArgv(command)}`);
        warnOfChecks(checks);
        if (planned === null) throw refusedInput('perf', checks);
        if (options.dryRun === true) return ExitCode.ok;
        const answer = await untilInterrupted((signal) =>
          library !== null && planned.capture !== null && output === null
            ? keepPerfScript(library, planned.capture, { signal, onProgress: progressLine(planned.request) })
            : writeText(planned, output ?? STDIO, options, signal),
        );
        report(answer, { word, output, checks, ...(options.json === true ? { json: true } : {}) });
        return ExitCode.ok;
      });
    } catch (error) {
      throw toCliError(error);
    } finally {
      library?.close();
    }
  },
};

interface CheckedPerfScript {
  readonly planned: RequestedPerfScript | null;
  readonly checks: readonly Check[];
}

async function planCapture(
  library: Library,
  id: string,
  open: () => Promise<Target>,
  isTrusted: boolean,
): Promise<CheckedPerfScript> {
  if (isTrusted) library.confirmReading(id, true);
  const { checks, planned: capture } = await planCapturePerfScript(library, id, open);
  return { checks, planned: capture === null ? null : { ...capture, capture } };
}

async function planFile(path: string, open: () => Promise<Target>): Promise<CheckedPerfScript> {
  const source = path === STDIO ? null : fileSource(path);
  if (source === null || source.size === null) {
    throw usageError('perf.data must be read twice, which a pipe does not allow', 'save it to a file and name that');
  }
  const request = await readPerfData(resolve(path), () => source.chunks()).catch((error: unknown) => {
    if (!(error instanceof ImportFailure)) throw error;
    throw new ImportFailure(error.failure, `${path}: ${error.message}`, error.location);
  });
  const target = await open();
  const plan = await planDataScript(target, request);
  const planned = plan.command === null ? null : { target, request, plan, capture: null };
  return { checks: plan.checks, planned };
}

const NOT_TRUSTED =
  'perf was not run: the file is in the folder of a capture that this Flamebench did not record on this machine';
const TRUST = 'if you trust who made it, add --trust';

async function writeText(
  { target, request, plan }: RequestedPerfScript,
  path: string,
  { force }: PerfScriptOptions,
  signal: AbortSignal,
): Promise<PerfScriptAnswer> {
  const onProgress = path === STDIO ? () => undefined : progressLine(request);
  const run = startDataScript(target, request, plan, { signal, onProgress });
  await writeOutput(path, { force }, async (output) => {
    for await (const chunk of run.text) output.write(chunk);
    signal.throwIfAborted();
  }).catch((error: unknown) => {
    throw readingFailure(error, signal);
  });
  const stats = run.stats();
  const { samples, lost } = stats;
  return { samples, recorded: request.facts.samples, unresolved: unresolvedShare(stats), lost };
}

const PROGRESS_MS = 500;

/** Returns a function that updates a progress line on a terminal; it does nothing elsewhere. */
function progressLine({ bytes, facts }: DataScriptRequest): (progress: PerfScriptProgress) => void {
  let last = performance.now();
  return ({ sentBytes, samples }) => {
    const now = performance.now();
    if (!isWatched() || now - last < PROGRESS_MS) return;
    last = now;
    const of = facts.samples === null ? '' : ` of ${facts.samples.toLocaleString('en')}`;
    const sent = sentBytes === 0 || sentBytes >= bytes ? '' : `sent ${Math.floor((sentBytes / bytes) * 100)} %, `;
    showProgress(`${sent}read ${samples.toLocaleString('en')}${of} samples`);
  };
}

interface Reported extends Pick<PerfScriptOptions, 'json'> {
  readonly word: string;
  readonly output: string | null;
  readonly checks: readonly Check[];
}

function report(answer: PerfScriptAnswer, { json, word, output, checks }: Reported): void {
  showProgress('');
  const { samples, recorded, unresolved, lost } = answer;
  if (json === true) {
    print(jsonText({ in: word, ...(output === null ? {} : { output }), ...answer, checks }));
    return;
  }
  const share = unresolved === null ? '' : `, ${formatShare(unresolved, 1)} of the weight without a symbol`;
  const gone = lost === 0 ? '' : `, ${lost.toLocaleString('en')} lost while recording`;
  say(`${countText(samples, 'sample')}${share}${gone}`);
  if (recorded !== null && samples < recorded) {
    warn(`perf printed ${samples.toLocaleString('en')} of ${countText(recorded, 'recorded sample')}`);
  }
}
