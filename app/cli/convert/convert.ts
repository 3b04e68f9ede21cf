import { statSync } from 'node:fs';
import { Option, type Command } from 'commander';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import { exporters, type Exporter } from '#core/export/registry.ts';
import { escapeControls } from '#core/contract/escape-controls.ts';
import { visibleProfile } from '#core/export/visible-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { STDIO } from '#app/engine/files/classify-word.ts';
import { applyTransforms, reportView } from '../input/apply-transforms.ts';
import { noteEmpty } from '../input/choose-value-type.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { usageError } from '../errors.ts';
import {
  addInputOptions,
  addSelectionOptions,
  chooseSelection,
  type InputOptions,
  type SelectionOptions,
} from '../input/input-options.ts';
import { readInput } from '../input/read-input.ts';
import { findInput } from '../library/find-input.ts';
import { FORCE_OPTION, outputOption, writeOutput } from '../output/output-file.ts';
import { isShown, warn } from '../output/terminal.ts';
import { addTransformOptions, givenTransforms, type GivenTransform } from '../input/transform-options.ts';

interface ConvertOptions extends InputOptions, SelectionOptions {
  readonly to?: string;
  readonly output: string;
  readonly force?: true;
  readonly verify?: true;
}

export const convertCommand: CliCommand = {
  configure(command: Command): void {
    command
      .argument('<in>', 'file, or a library capture by id or prefix of its name; - is stdin')
      .addOption(
        new Option('--to <format>', 'format to write; default: by the name of the output').choices(
          exporters.map(({ id }) => id),
        ),
      )
      .addOption(outputOption('file to write, compressed if its name ends in .gz; - is stdout', STDIO))
      .option(...FORCE_OPTION)
      .option(
        '--verify',
        'read the written file again and compare the weights of all functions; exit 1 if any differs',
      );
    addSelectionOptions(command, 'value type to write, as type or type/unit (folded); default: the profile’s own');
    addInputOptions(command);
    addTransformOptions(command);
  },

  async run(command: Command): Promise<ExitCode> {
    const options = command.opts<ConvertOptions>();
    const exporter = exporterFor(options);
    refuseUnfit(exporter, options);
    const { path, mayReadHere } = await findInput(command.args[0]!, options.library);
    const profile = await readInput(path, options, mayReadHere);
    const selection = chooseSelection(profile, options);
    const { valueType } = selection;
    const given = await givenTransforms(command, profile);
    const isWhole = selection.threads === null && selection.timeRange === null && given.length === 0;
    const seen = isWhole ? { profile, description: [] } : await visiblePart(profile, selection, given);
    if (isWhole) noteEmpty(profile, selection, null);
    const losses = exporter.losses?.(seen.profile, valueType) ?? [];
    if (losses.length > 0) warn(`${exporter.id} can’t store: ${losses.join('; ')}`);
    const { output: out, force } = options;
    const compressed = GZIP.test(out);
    await writeOutput(out, { force, inPlaceOf: path, compressed }, (output) =>
      exporter.write(seen.profile, { valueType, header: seen.description }, (chunk) => output.write(chunk)),
    );
    if (options.verify !== true) return ExitCode.ok;
    return (await import('./verify.ts')).verifyWritten(out, seen.profile, exporter, valueType);
  },
};

/** Names of files that are compressed. */
export const GZIP = /\.gz$/i;

/**
 * Returns the requested format, else the one whose extension is the longest that the output's name ends with, before
 * `.gz`.
 */
export function exporterFor({ to, output }: Pick<ConvertOptions, 'to' | 'output'>): Exporter {
  if (to !== undefined) return exporters.find(({ id }) => id === to)!;
  const name = output.toLowerCase().replace(GZIP, '');
  const fitting = exporters
    .filter(({ extension }) => name.endsWith(`.${extension}`))
    .sort((a, b) => b.extension.length - a.extension.length);
  if (fitting[0] !== undefined) return fitting[0];
  const endings = exporters.map(({ extension }) => `.${extension}`).join(', ');
  const what =
    output === STDIO
      ? 'stdout has no name that tells the format'
      : `can’t tell the format from the name ${escapeControls(output)}`;
  throw usageError(what, `add --to FORMAT, or name a file that ends in ${endings}, each also with .gz`);
}

async function visiblePart(recorded: Profile, selection: Selection, given: readonly GivenTransform[]) {
  const applied = await applyTransforms(recorded, given);
  const { profile } = applied;
  noteEmpty(profile, selection, applied.resolved);
  const seen = visibleProfile(profile, { selection, ...applied });
  reportView(applied, seen.view);
  return seen;
}

function refuseUnfit(exporter: Exporter, { output, type, verify }: ConvertOptions): void {
  const { id, isText, oneValueType, extension, stores } = exporter;
  if (verify === true && stores === null) {
    throw usageError(`--verify reads the output again, but Flamebench does not read ${id}`, 'leave --verify out');
  }
  if (verify === true && !isFileOrNew(output)) {
    throw usageError('--verify needs a file that it can read again', `name one: -o profile.${extension}`);
  }
  if (!isText && output === STDIO && isShown()) {
    throw usageError(`${id} is a binary format and stdout is a terminal`, `name a file: -o profile.${extension}`);
  }
  if (!oneValueType && type !== undefined) {
    throw usageError(`--type has no effect on ${id}, which stores all value types`, 'leave it out');
  }
}

/** Returns false for what can't be read again: stdout, a FIFO, a device. What can't be looked at fails when it is written. */
function isFileOrNew(output: string): boolean {
  if (output === STDIO) return false;
  try {
    return statSync(output, { throwIfNoEntry: false })?.isFile() !== false;
  } catch {
    return true;
  }
}
