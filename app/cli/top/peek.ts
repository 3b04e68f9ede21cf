import type { Command } from 'commander';
import { callGraph, type CallEdge, type GraphNode } from '#core/analyze/tables/call-graph.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { reportView } from '../input/apply-transforms.ts';
import { matchRows } from '../input/matching-functions.ts';
import { addViewOptions, readView, type ViewOptions } from '../input/read-view.ts';
import { printCsv } from '../output/csv-rows.ts';
import { jsonText } from '../output/json-text.ts';
import { print } from '../output/terminal.ts';
import { pprofCells, rowTitle, sortEdges, sortNodes, TABLE_TITLES, type PprofCells } from './pprof-table.ts';

const SEPARATOR = '----------------------------------------------------------+-------------';

export const peekCommand: CliCommand = {
  configure(command: Command): void {
    command
      .argument('<in>', 'profile to read; - is stdin')
      .argument('<functions>', 'regular expression over the rows’ names')
      .option('--cum', 'heaviest total first');
    addViewOptions(command);
  },

  async run(command: Command): Promise<ExitCode> {
    const options = command.opts<ViewOptions & { cum?: true }>();
    const { profile, selection, applied, whole } = await readView(command);
    const { resolved } = applied;
    const named = { ...profile, functions: resolved.functions, strings: resolved.strings };
    const titleOf = (func: number): string => rowTitle(named, func, options.granularity !== undefined);
    const nodes = callGraph(profile, selection, resolved);
    const nameOf = ({ func }: GraphNode): string => named.strings[named.functions.name[func]!]!;
    const found = await matchRows(nodes, nameOf, command.args[1]!);
    reportView(applied, buildStackView(profile, selection, resolved));
    const sorted = sortNodes(found, options.cum === true ? 'total' : 'self', ({ func }) => titleOf(func)).map(
      (node) => ({
        ...node,
        callers: sortEdges(node.callers, ({ caller }) => titleOf(caller)),
        callees: sortEdges(node.callees, ({ callee }) => titleOf(callee)),
      }),
    );
    const valueType = profile.valueTypes[selection.valueType]!;
    if (options.json === true) print(asJson(sorted, valueType, whole, titleOf));
    else if (options.csv === true) printRows(sorted, valueType, titleOf);
    else print(asText(sorted, pprofCells(nodes, whole, valueType.unit), titleOf));
    return ExitCode.ok;
  },
};

type TitleOf = (func: number) => string;

function asText(nodes: readonly GraphNode[], cells: PprofCells, titleOf: TitleOf): string {
  const edgeLine = ({ weight, inline }: CallEdge, other: number, total: number): string =>
    `${cells.weight(weight).padStart(50)} ${cells.share(weight, total)} |   ${titleOf(other)}${inline ? ' (inline)' : ''}`;
  let sum = 0;
  const blocks = nodes.flatMap(({ func, self, total, callers, callees }) => {
    sum += self;
    return [
      SEPARATOR,
      ...callers.map((edge) => edgeLine(edge, edge.caller, total)),
      `${cells.columns({ self, total }, sum)}                | ${titleOf(func)}`,
      ...callees.map((edge) => edgeLine(edge, edge.callee, total)),
    ];
  });
  return `${[`${TABLE_TITLES}   calls calls% + context`, ...blocks, SEPARATOR].join('\n')}\n`;
}

/** Prints a line for each function, and for each of its callers and callees. */
function printRows(
  nodes: readonly GraphNode[],
  { type, unit }: { type: string; unit: string },
  titleOf: TitleOf,
): void {
  const rows = nodes.flatMap(({ func, self, total, callers, callees }) => {
    const name = titleOf(func);
    const edge = (other: string, weight: number) => ({ function: name, other, self: null, total: null, weight });
    return [
      ...callers.map(({ caller, weight }) => ({ row: 'caller', ...edge(titleOf(caller), weight) })),
      { row: 'function', function: name, other: null, self, total, weight: null },
      ...callees.map(({ callee, weight }) => ({ row: 'callee', ...edge(titleOf(callee), weight) })),
    ];
  });
  printCsv(['row', 'function', 'other', 'self', 'total', 'weight'], rows, [`${type} (${unit})`]);
}

function asJson(
  nodes: readonly GraphNode[],
  { type, unit }: { type: string; unit: string },
  whole: number,
  titleOf: TitleOf,
): string {
  return jsonText({
    valueType: { type, unit },
    whole,
    functions: nodes.map(({ func, self, total, callers, callees }) => ({
      name: titleOf(func),
      self,
      total,
      callers: callers.map(({ caller, weight, inline }) => ({ name: titleOf(caller), weight, inline })),
      callees: callees.map(({ callee, weight, inline }) => ({ name: titleOf(callee), weight, inline })),
    })),
  });
}
