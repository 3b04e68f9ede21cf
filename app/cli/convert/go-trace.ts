import type { Command } from 'commander';
import { resolve } from 'node:path';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import { writeNative } from '#core/model/native/write.ts';
import { countSamples } from '#core/model/sample-counts.ts';
import { countText } from '#core/units/format.ts';
import { planGoTrace, type GoTracePlan } from '#collectors/pprof/go-trace.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import type { Target } from '#collectors/target/target.ts';
import { isFileWord, STDIO } from '#app/engine/files/classify-word.ts';
import { fileSource } from '#app/engine/files/file-source.ts';
import type { Library } from '#app/engine/library/library.ts';
import { keepGoTrace, planCaptureGoTrace, profileOfGoTrace, versionOf } from '#app/engine/source/go-trace-service.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { toCliError } from '../engine-errors.ts';
import { inputError, usageError } from '../errors.ts';
import { findCapture } from '../library/find-input.ts';
import { LIBRARY_OPTION } from '../library/library-option.ts';
import { openCliLibrary } from '../library/open-library.ts';
import { jsonText } from '../output/json-text.ts';
import { FORCE_OPTION, outputOption, writeOutput } from '../output/output-file.ts';
import { print, say } from '../output/terminal.ts';
import { untilInterrupted } from '../until-interrupted.ts';
import { printCommands, refusedInput, warnOfChecks } from './planned-commands.ts';

interface GoTraceOptions {
  readonly output?: string;
  readonly force?: true;
  readonly dryRun?: true;
  readonly json?: true;
  readonly library?: string;
}

export const goTraceCommand: CliCommand = {
  configure(command: Command): void {
    command
      .argument('<in>', 'an execution trace of Go, or the id of a capture that holds one')
      .addOption(outputOption('file for the profile, - is stdout; default for a capture: the capture itself'))
      .option(...FORCE_OPTION)
      .option('--dry-run', 'print what would run, without running it')
      .option('--json', 'print JSON')
      .option(...LIBRARY_OPTION);
  },

  async run(command: Command): Promise<ExitCode> {
    const [word = ''] = command.args;
    const options = command.opts<GoTraceOptions>();
    const { output = null } = options;
    const isCapture = !isFileWord(word);
    if (!isCapture && output === null && options.dryRun !== true) {
      throw usageError('there is no file for the profile', 'name one: -o FILE.flamebench');
    }
    if (options.json === true && output === STDIO && options.dryRun !== true) {
      throw usageError('the profile and JSON can’t both go to the standard output', 'name a file: -o FILE.flamebench');
    }
    const target = createLocalTarget();
    const library = isCapture ? await openCliLibrary(options.library) : null;
    try {
      const id = library === null ? null : (await findCapture(library, word)).id;
      const plan =
        library === null || id === null ? await planFile(target, word) : await planCaptureGoTrace(library, id, target);
      if (options.dryRun === true) printCommands(plan.commands, plan, options.json);
      refuse(plan);
      if (options.dryRun === true) return ExitCode.ok;
      for (const argv of plan.commands) say(`$ ${quoteArgv(argv)}`);
      const samples = await untilInterrupted((signal) =>
        library !== null && id !== null && output === null
          ? keepIn(library, id, target, plan, signal)
          : write(target, plan, { path: output ?? STDIO, ...(options.force === true ? { force: true } : {}) }, signal),
      );
      if (options.json === true)
        print(jsonText({ in: word, ...(output === null ? {} : { output }), samples, ...plan }));
      else say(countText(samples, 'wait'));
      return ExitCode.ok;
    } catch (error) {
      throw toCliError(error);
    } finally {
      library?.close();
      await target.dispose();
    }
  },
};

async function keepIn(library: Library, id: string, target: Target, plan: GoTracePlan, signal: AbortSignal) {
  return (await keepGoTrace(library, id, target, plan, signal)).samples;
}

async function planFile(target: Target, word: string): Promise<GoTracePlan> {
  if (word === STDIO || fileSource(word).size === null) {
    throw usageError('go tool trace reads the trace several times, which a pipe does not allow', 'save it to a file');
  }
  const version = await versionOf(resolve(word));
  if (version === null) {
    throw inputError(`${word} is not an execution trace of Go`, 'if it is compressed, unpack it first');
  }
  return planGoTrace(target, resolve(word), version);
}

/** Prints warnings; throws the failed check. */
function refuse({ checks }: GoTracePlan): void {
  warnOfChecks(checks);
  if (checks.some(({ status }) => status === 'failed')) throw refusedInput('Go', checks);
}

async function write(
  target: Target,
  plan: GoTracePlan,
  { path, force }: { readonly path: string; readonly force?: true },
  signal: AbortSignal,
): Promise<number> {
  const profile = await profileOfGoTrace(target, plan, signal);
  await writeOutput(path, { force }, (file) => {
    for (const chunk of writeNative(profile)) file.write(chunk);
  });
  return countSamples(profile);
}
