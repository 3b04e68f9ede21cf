import { Option, type Command } from 'commander';
import { functionRef } from '#core/analyze/function-ref.ts';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import { NO_SOURCE_LINES, sourceLines } from '#core/analyze/tables/source-lines.ts';
import type { StackView } from '#core/analyze/view/stack-view.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { disassemble } from './asm.ts';
import { notTrusted, readSourceTexts } from './source-texts.ts';
import { asmAsJson, asmAsText, linesAsJson, linesAsText, type LinesReport } from './print.ts';
import { applyTransforms, reportView } from '../input/apply-transforms.ts';
import { noteEmpty } from '../input/choose-value-type.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { toCliError } from '../engine-errors.ts';
import { usageError } from '../errors.ts';
import { refuseOptions, takesOnly } from '../option-values.ts';
import {
  addInputOptions,
  addSelectionOptions,
  chooseSelection,
  type InputOptions,
  type SelectionOptions,
} from '../input/input-options.ts';
import { mayReadBeside, readInput } from '../input/read-input.ts';
import { findInput } from '../library/find-input.ts';
import { openCliLibrary } from '../library/open-library.ts';
import { csvOption, printCsv } from '../output/csv-rows.ts';
import { print, warn } from '../output/terminal.ts';
import { addTransformOptions, givenTransforms } from '../input/transform-options.ts';

interface AnnotateOptions extends InputOptions, SelectionOptions {
  readonly source?: true;
  readonly asm?: true;
  readonly text?: true;
  readonly sourceDir?: string;
  readonly lines: boolean;
  readonly trust?: true;
  readonly module?: string;
  readonly json?: true;
  readonly csv?: true;
}

const ASM_OPTIONS = ['asm', 'lines', 'trust', 'module', 'json', 'csv', 'from', 'kallsyms', 'binary', 'library'];

export const annotateCommand: CliCommand = {
  configure(command: Command): void {
    command
      .argument('<capture>', 'id of a capture in the library, or a file; - is stdin')
      .argument('<function>', 'function name, or a part of it that matches one function only')
      .addOption(new Option('--source', 'weight per source line (the default)').conflicts('asm'))
      .option('--asm', 'weight per instruction of the whole recording, by perf annotate; captures recorded here only')
      .option('--text', 'print source text; reads the files the profile names, so only for profiles you trust')
      .option('--source-dir <folder>', 'folder that relative source paths start from; implies --text')
      .option('--no-lines', 'with --asm: skip source lines, which are slow to resolve in large binaries')
      .option('--trust', 'with --asm, --text: allow a capture that was not recorded here; you trust who made it')
      .option('--module <module>', 'pick the function in this module if several share the name (path or its last part)')
      .option('--json', 'print JSON')
      .addOption(csvOption());
    addSelectionOptions(command);
    addInputOptions(command);
    addTransformOptions(command);
  },

  async run(command: Command): Promise<ExitCode> {
    const [word, name] = command.args as [string, string];
    const options = command.opts<AnnotateOptions>();
    if (options.asm === true) takesOnly(command, '--asm', ASM_OPTIONS, 'perf annotate covers the whole recording');
    else refuseOptions(command, 'annotate without --asm', ['lines']);
    if (options.csv === true) refuseOptions(command, '--csv', ['text', 'sourceDir']);
    try {
      const { document, path, isCapture, mayReadHere } = await findInput(word, options.library);
      const isText = options.text === true || options.sourceDir !== undefined;
      const mayRead = options.trust === true || (mayReadHere ?? (await mayReadBeside(path)));
      if (isText && !mayRead) throw notTrusted();
      const profile = await readInput(path, options, mayRead);
      if (options.asm === true) await printAsm(profile, isCapture ? document : null, name, options);
      else await printLines(command, profile, document, name, options);
    } catch (error) {
      throw toCliError(error);
    }
    return ExitCode.ok;
  },
};

async function printLines(
  command: Command,
  recorded: Profile,
  document: CaptureDocument | null,
  name: string,
  options: AnnotateOptions,
): Promise<void> {
  const selection = chooseSelection(recorded, options);
  const applied = await applyTransforms(recorded, await givenTransforms(command, recorded));
  const { profile } = applied;
  noteEmpty(profile, selection, applied.resolved);
  const view = buildStackView(profile, selection, applied.resolved);
  reportView(applied, view);
  const func = chooseFunction(view, name, options.module);
  const report = linesReport(profile, view, func, sourceLines(profile, selection, applied.resolved, func));
  const texts =
    options.text === true || options.sourceDir !== undefined
      ? await readSourceTexts(
          report.lines.map(({ file }) => file),
          profile,
          document,
          options.sourceDir,
        )
      : new Map();
  warnWithoutLines(report);
  if (options.csv === true) return printCsv(['file', 'line', 'self', 'total'], report.lines, [titleOf(report)]);
  const format = options.json === true ? linesAsJson : linesAsText;
  print(format(report, texts));
}

const titleOf = ({ name, valueType: { type, unit } }: LinesReport): string => `${name}, ${type} (${unit})`;

function linesReport(
  profile: Profile,
  view: StackView,
  func: FunctionIndex,
  lines: ReturnType<typeof sourceLines>,
): LinesReport {
  const stats = functionStats(view);
  const row = stats.func.indexOf(func);
  const { name, module } = functionRef(view.profile, func);
  return {
    format: profile.metadata.format,
    valueType: profile.valueTypes[view.selection.valueType]!,
    whole: view.total,
    name,
    module,
    self: stats.self[row]!,
    total: stats.total[row]!,
    lines: Array.from({ length: lines.length }, (_, index) => ({
      file: profile.strings[lines.file[index]!]!,
      line: lines.line[index]!,
      self: lines.self[index]!,
      total: lines.total[index]!,
    })),
  };
}

function warnWithoutLines({ lines }: LinesReport): void {
  if (lines.some(({ line }) => line > 0)) return;
  warn(`${NO_SOURCE_LINES} Use --asm on the machine that recorded it to disassemble it.`);
}

async function printAsm(
  profile: Profile,
  document: CaptureDocument | null,
  name: string,
  options: AnnotateOptions,
): Promise<void> {
  const func = chooseFunction(buildStackView(profile, wholeProfile(profile)), name, options.module);
  const library = await openCliLibrary(options.library);
  const { plan, annotation } = await disassemble(profile, library, document, func, {
    lines: options.lines,
    trust: options.trust === true,
  });
  if (options.csv === true) {
    const rows = annotation.events.flatMap(({ event, rows: own }) =>
      own.flatMap((row) =>
        row.kind === 'instruction' ? { event, address: row.address, self: row.period, text: row.text } : [],
      ),
    );
    return printCsv(['event', 'address', 'self', 'text'], rows);
  }
  print(options.json === true ? asmAsJson(plan, annotation) : asmAsText(plan, annotation));
}

/** Number of functions listed if one must be chosen. */
const LISTED = 8;

/**
 * Returns the function that the user means: the one with that name, else the only one whose name contains the word. Of
 * functions of one name and module (overloads) it is the one with most weight, which a warning says.
 */
function chooseFunction(view: StackView, wanted: string, module: string | undefined): FunctionIndex {
  const { func: functions, total } = functionStats(view);
  const candidates = Array.from(functions, (func, row) => ({
    func,
    total: total[row]!,
    ...functionRef(view.profile, func),
  })).filter((one) => module === undefined || isOfModule(one.module, module));
  const exact = candidates.filter(({ name }) => name === wanted);
  const found = exact.length > 0 ? exact : candidates.filter(({ name }) => name.includes(wanted));
  found.sort((a, b) => b.total - a.total);
  const [first] = found;
  if (first !== undefined && found.every(({ name, module: own }) => name === first.name && own === first.module)) {
    if (found.length > 1)
      warn(
        `${found.length} functions are named ${first.name}; this is the one with most weight. Renamed, they count as one: --rename 's/^NAME$/all NAME/'.`,
      );
    return first.func as FunctionIndex;
  }
  const place = module === undefined ? 'in this view' : `of ${module} in this view`;
  if (found.length === 0) throw usageError(`no function ${place} is named '${wanted}'`, 'flamebench top lists them');
  const listed = found.slice(0, LISTED).map(({ name, module: own }) => (own === '' ? name : `${name} [${own}]`));
  const more = found.length > LISTED ? ` and ${found.length - LISTED} more` : '';
  throw usageError(
    `'${wanted}' means ${found.length} functions`,
    `name one, with --module if several share the name: ${listed.join(', ')}${more}`,
  );
}

const isOfModule = (module: string, wanted: string): boolean =>
  module === wanted || module.slice(module.lastIndexOf('/') + 1) === wanted;
