import type { Command } from 'commander';
import { functionLabel } from '#core/analyze/function-label.ts';
import type { NamedFunctions } from '#core/analyze/function-ref.ts';
import { compareText } from '#core/analyze/compare-text.ts';
import { callGraph, type GraphNode } from '#core/analyze/tables/call-graph.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { FunctionKind } from '#core/model/profile.ts';
import { notTrusted, readSourceTexts, type SourceTexts } from '../annotate/source-texts.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { usageError } from '../errors.ts';
import { mayReadBeside } from '../input/read-input.ts';
import { reportView } from '../input/apply-transforms.ts';
import { matchRows } from '../input/matching-functions.ts';
import { addViewOptions, readView, type ViewOptions } from '../input/read-view.ts';
import { refuseOptions } from '../option-values.ts';
import { escapeControls } from '#core/contract/escape-controls.ts';
import { printCsv } from '../output/csv-rows.ts';
import { jsonText } from '../output/json-text.ts';
import { print } from '../output/terminal.ts';
import { pprofCells, type PprofCells } from './pprof-table.ts';

/** Number of lines shown before and after those with weight, if the file is readable. */
const MARGIN = 5;

interface ListOptions extends ViewOptions {
  readonly text?: true;
  readonly trust?: true;
  readonly sourceDir?: string;
}

const TEXT_OPTIONS = ['text', 'sourceDir', 'trust'];

/** A function in one file. */
interface Routine {
  readonly name: string;
  /** Empty if unknown. */
  readonly file: string;
  readonly self: number;
  /** Sum of its lines' totals; a stack with two of them counts twice, as in pprof. */
  readonly total: number;
  /** Ordered by line. */
  readonly lines: readonly { readonly line: number; readonly self: number; readonly total: number }[];
}

export const listCommand: CliCommand = {
  configure(command: Command): void {
    command
      .argument('<in>', 'profile to read; - is stdin')
      .argument('<functions>', 'regular expression over function names')
      .option('--text', 'with the text of the source files, which the profile names: for profiles that you trust')
      .option('--source-dir <folder>', 'where relative names of source files begin; implies --text')
      .option('--trust', 'with --text: allow a capture that was not recorded here; you trust who made it');
    addViewOptions(command);
  },

  async run(command: Command): Promise<ExitCode> {
    const options = command.opts<ListOptions>();
    if (options.granularity !== undefined && options.granularity !== 'lines') {
      throw usageError('list is by line', 'leave --granularity out');
    }
    if (options.json === true) refuseOptions(command, '--json', TEXT_OPTIONS);
    if (options.csv === true) refuseOptions(command, '--csv', TEXT_OPTIONS);
    const isText = options.text === true || options.sourceDir !== undefined;
    if (!isText) refuseOptions(command, 'list without --text', ['trust']);
    command.setOptionValue('granularity', 'lines');
    const { found: input, profile, names, selection, applied, whole } = await readView(command);
    if (isText && options.trust !== true && !(input.mayReadHere ?? (await mayReadBeside(input.path))))
      throw notTrusted();
    const named = { ...profile, strings: applied.resolved.strings, functions: applied.resolved.functions };
    const nameOf = (func: number): string => names[func] ?? functionLabel(named, func);
    const nodes = callGraph(profile, selection, applied.resolved);
    const isNamed = ({ func }: GraphNode): boolean => named.functions.kind[func] !== FunctionKind.unresolved;
    const found = await matchRows(nodes.filter(isNamed), ({ func }) => nameOf(func), command.args[1]!);
    reportView(applied, buildStackView(profile, selection, applied.resolved));
    const routines = routinesOf(named, nameOf, found);
    const { type, unit } = profile.valueTypes[selection.valueType]!;
    if (options.json === true) {
      print(jsonText({ valueType: { type, unit }, whole, functions: routines }));
      return ExitCode.ok;
    }
    if (options.csv === true) {
      const rows = routines.flatMap((one) =>
        one.lines.map((line) => ({ function: one.name, file: one.file, ...line })),
      );
      printCsv(['function', 'file', 'line', 'self', 'total'], rows, [`${type} (${unit})`]);
      return ExitCode.ok;
    }
    const cells = pprofCells([], whole, unit, false);
    const texts = isText
      ? await readSourceTexts(
          routines.map(({ file }) => file),
          profile,
          input.document,
          options.sourceDir,
        )
      : new Map<string, readonly string[]>();
    print(`Total: ${cells.weight(whole)}\n${routines.map((one) => routineText(one, cells, texts)).join('')}`);
    return ExitCode.ok;
  },
};

function routinesOf(
  { strings, functions }: NamedFunctions,
  nameOf: (func: number) => string,
  nodes: readonly GraphNode[],
): Routine[] {
  const groups = new Map<string, GraphNode[]>();
  for (const node of nodes) {
    const key = `${nameOf(node.func)}\0${strings[functions.file[node.func]!]!}`;
    groups.set(key, [...(groups.get(key) ?? []), node]);
  }
  return [...groups.values()]
    .map((group) => ({
      name: nameOf(group[0]!.func),
      file: strings[functions.file[group[0]!.func]!]!,
      self: group.reduce((sum, { self }) => sum + self, 0),
      total: group.reduce((sum, { total }) => sum + total, 0),
      lines: group
        .map(({ func, self, total }) => ({ line: functions.line[func]!, self, total }))
        .sort((a, b) => a.line - b.line),
    }))
    .sort((a, b) => compareText(a.name, b.name) || compareText(a.file, b.file));
}

function routineText({ name, file, self, total, lines }: Routine, cells: PprofCells, texts: SourceTexts): string {
  if (file === '') return `No source information for ${escapeControls(name)}\n`;
  const cell = (weight: number): string => (weight === 0 ? '.' : cells.weight(weight)).padStart(10);
  const text = texts.get(file);
  const rows = text === undefined ? lines : withMargin(lines, text.length);
  return [
    `ROUTINE ======================== ${escapeControls(name)} in ${escapeControls(file)}`,
    `${cells.weight(self).padStart(10)} ${cells.weight(total).padStart(10)} (flat, cum) ${cells.share(total)} of Total`,
    ...rows.map(
      (row) =>
        `${cell(row.self)} ${cell(row.total)} ${String(row.line).padStart(6)}:${escapeControls((text?.[row.line - 1] ?? '').replaceAll('\t', '    '))}`,
    ),
    '',
  ].join('\n');
}

/** Returns all lines from a few before the first to a few after the last. */
function withMargin(lines: Routine['lines'], length: number): Routine['lines'] {
  const byLine = new Map(lines.map((row) => [row.line, row]));
  const first = Math.max(1, lines[0]!.line - MARGIN);
  const last = Math.min(length, lines.at(-1)!.line + MARGIN);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, row) => {
    const line = first + row;
    return byLine.get(line) ?? { line, self: 0, total: 0 };
  });
}
