import type { Command } from 'commander';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import type { Check } from '#core/contract/schemas.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { keepLines, planCaptureLines } from '#app/engine/source/line-service.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { printCommands } from '../convert/planned-commands.ts';
import { toCliError } from '../engine-errors.ts';
import { inputError, type CliError } from '../errors.ts';
import { findCapture } from '../library/find-input.ts';
import { LIBRARY_OPTION } from '../library/library-option.ts';
import { openCliLibrary } from '../library/open-library.ts';
import { jsonText } from '../output/json-text.ts';
import { print, say, warn } from '../output/terminal.ts';
import { untilInterrupted } from '../until-interrupted.ts';

interface LinesFlags {
  readonly inlined?: true;
  readonly trust?: true;
  readonly dryRun?: true;
  readonly json?: true;
  readonly library?: string;
}

export const linesCommand: CliCommand = {
  configure(command: Command): void {
    command
      .argument('<capture>', 'id of a capture that was recorded on this machine')
      .option('--inlined', 'add frames for functions that the compiler inlined')
      .option('--trust', 'allow a capture that was not recorded here; you trust who made it')
      .option('--dry-run', 'print what would run, without running it')
      .option('--json', 'print JSON')
      .option(...LIBRARY_OPTION);
  },

  async run(command: Command): Promise<ExitCode> {
    const [word = ''] = command.args;
    const { inlined = false, trust = false, dryRun = false, json, library: folder } = command.opts<LinesFlags>();
    const target = createLocalTarget();
    const library = await openCliLibrary(folder);
    try {
      const { id } = await findCapture(library, word);
      library.confirmReading(id, trust);
      const { checks, planned } = await planCaptureLines(library, target, id);
      const commands = planned?.plan.commands ?? [];
      if (dryRun) printCommands(commands, { commands, checks }, json);
      if (planned === null || commands.length === 0) throw refusal(checks);
      if (dryRun) return ExitCode.ok;
      for (const argv of commands) say(`$ ${quoteArgv(argv)}`);
      for (const check of checks) {
        if (check.status === 'warning') warn(`${check.id}: ${check.found}`);
      }
      const count = await untilInterrupted((signal) => keepLines(library, target, planned, { inlined, signal }));
      print(json === true ? jsonText({ capture: id, ...count, checks }) : describeCount(count));
      return ExitCode.ok;
    } catch (error) {
      throw toCliError(error);
    } finally {
      library.close();
      await target.dispose();
    }
  },
};

function describeCount({ frames, withLine }: { readonly frames: number; readonly withLine: number }): string {
  const share = frames === 0 ? 0 : (withLine / frames) * 100;
  return `${withLine.toLocaleString('en')} of ${frames.toLocaleString('en')} frames have a source line (${share.toFixed(1)} %)\n`;
}

/** Returns the error for the failed check; if none failed outright, for the binary with the most frames. */
function refusal(checks: readonly Check[]): CliError {
  const check = checks.find(({ status }) => status === 'failed') ?? checks.find(({ status }) => status === 'warning');
  const place = check === undefined || check.status === 'failed' ? '' : `${check.id}: `;
  return inputError(
    `no source lines to resolve: ${place}${check?.found ?? 'no frame belongs to a binary'}`,
    check?.remedy ?? null,
  );
}
