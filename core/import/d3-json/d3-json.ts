import { NO_STACK, type StackIndex } from '../../model/brand.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind, type Profile } from '../../model/profile.ts';
import type { Head, Importer, SniffResult } from '../importer.ts';
import { JsonSession } from '../text/json-session.ts';
import { arrayOrNone, numberAt, objectAt, textOr, type JsonObject } from '../text/json-value.ts';
import { CHILDREN_EXCEED, INEXACT_WEIGHT } from '../common-diagnostics.ts';

/** Nested frames as d3-flame-graph draws them, and as `perf script report flamegraph` and others write them for it. */
export const d3JsonImporter: Importer = {
  id: 'd3-json',
  label: 'd3-flame-graph JSON',
  extensions: ['json'],
  keeps: 'stacks, weights, kernel frames',
  loses: 'deltas of differential graphs, which are counted; the format itself has no times, threads, modules or units',
  recognizedBy: 'JSON of nested `name`, `value` and `children` (or `n`, `v`, `c`)',
  specification: 'https://github.com/spiermar/d3-flame-graph#input-format',
  sniff: sniffD3Json,
  start: () => new JsonSession('a d3-flame-graph file', buildD3Json),
};

function sniffD3Json({ text }: Head): SniffResult {
  const isTree =
    /^\s*\{\s*"(?:name|n|value|v|children|c|l|libtype|delta|id)"\s*:/.test(text) &&
    /"(?:name|n)"\s*:\s*"/.test(text) &&
    /"(?:value|v)"\s*:\s*-?\d/.test(text) &&
    /"(?:children|c)"\s*:\s*\[/.test(text);
  return isTree ? 'yes' : 'no';
}

/** Sums of fractions are not exact. */
const ROUNDING = 1e-9;

/** Frames ordered with callers first. */
interface Nodes {
  readonly stacks: StackIndex[];
  /** Row of the caller; −1: none. */
  readonly parents: number[];
  /** Weight of a frame including everything that it encloses; NaN if it states none. */
  readonly totals: number[];
}

function buildD3Json(json: unknown): Profile {
  const builder = new ProfileBuilder(1);
  const thread = builder.thread(-1, -1, '');
  const nodes = listNodes(builder, objectAt(json, 'the file'));
  const own = ownWeights(builder, nodes);
  nodes.stacks.forEach((stack, row) => {
    if (own[row]! >= 0) builder.sample({ stack, thread }, own[row]!);
  });
  return builder.finish([{ type: 'samples', unit: 'count' }], { format: 'd3-json' });
}

function listNodes(builder: ProfileBuilder, root: JsonObject): Nodes {
  const nodes: Nodes = { stacks: [], parents: [-1], totals: [] };
  const waiting = [root];
  for (let row = 0; row < waiting.length; row++) {
    const node = waiting[row]!;
    const name = textOr(node['name'] ?? node['n'], '') || '(unnamed)';
    const kind = (node['libtype'] ?? node['l']) === 'kernel' ? FunctionKind.kernel : FunctionKind.unknown;
    const caller = nodes.stacks[nodes.parents[row]!] ?? NO_STACK;
    nodes.stacks.push(builder.stack(caller, builder.frame({ func: builder.function({ name, kind }) })));
    const where = JSON.stringify(name.slice(0, 80));
    const children = arrayOrNone(node['children'] ?? node['c'], `children of ${where}`);
    const value = node['value'] ?? node['v'];
    nodes.totals.push(value === undefined && children.length > 0 ? Number.NaN : numberAt(value, `value of ${where}`));
    if (node['delta'] !== undefined) builder.diagnostics.add('deltas', 'Deltas of a differential graph were skipped.');
    for (const child of children) {
      waiting.push(objectAt(child, 'a node'));
      nodes.parents.push(row);
    }
  }
  return nodes;
}

/** Returns the own weights by row; −1 for frames that only enclose others. */
function ownWeights(builder: ProfileBuilder, { parents, totals }: Nodes): Float64Array {
  const sums = new Float64Array(totals.length).fill(-1);
  const own = new Float64Array(totals.length).fill(-1);
  for (let row = totals.length - 1; row >= 0; row--) {
    const enclosed = Math.max(0, sums[row]!);
    const total = Number.isNaN(totals[row]) ? enclosed : totals[row]!;
    const slack = Math.abs(total) * ROUNDING;
    if (total - enclosed < -slack) {
      builder.diagnostics.add(...CHILDREN_EXCEED);
    } else if (total - enclosed > slack || sums[row]! < 0) own[row] = total - enclosed;
    if (total > Number.MAX_SAFE_INTEGER) builder.diagnostics.add(...INEXACT_WEIGHT);
    const parent = parents[row]!;
    if (parent >= 0) sums[parent] = Math.max(0, sums[parent]!) + Math.max(total, enclosed);
  }
  return own;
}
