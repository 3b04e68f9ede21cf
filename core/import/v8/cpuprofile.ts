import { ImportFailure } from '../../model/failure.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import type { Profile } from '../../model/profile.ts';
import type { Head, Importer, SniffResult } from '../importer.ts';
import { JsonSession } from '../text/json-session.ts';
import {
  arrayAt,
  arrayOrNone,
  finite,
  isObject,
  numberAt,
  numberOr,
  objectAt,
  wholeOrNone,
  type JsonObject,
} from '../text/json-value.ts';
import { addNodeFacts, readNodeFacts } from './node-facts.ts';
import { addV8Profile, V8_WEIGHTS, v8ValueTypes, type V8Node, type V8Samples, type V8Tree } from './profile.ts';

/**
 * CPU profiles of V8 as written by `node --cpu-prof` and Chrome's DevTools, including the tree of Node before version
 * 8.
 */
export const cpuprofileImporter: Importer = {
  id: 'cpuprofile',
  label: 'V8 CPU profile',
  extensions: ['cpuprofile', 'json'],
  keeps:
    'stacks with files and lines, every sample with its time, the counts of hits; idle, program and garbage collection as such',
  loses: 'columns (functions that begin on one line stay apart), hits per line, reasons of deoptimisation',
  recognizedBy: 'JSON with `nodes` or `head` of functions, and `samples`',
  specification: 'https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile',
  sniff: sniffCpuprofile,
  start: () => new JsonSession('a V8 CPU profile', buildCpuprofile),
};

function sniffCpuprofile({ text }: Head, fileName: string): SniffResult {
  if (!/^\s*\{/.test(text) || /"(traceEvents|\$schema|selfSize)"\s*:/.test(text)) return 'no';
  if (/"nodes"\s*:\s*\[\s*\{[^{}]*"callFrame"\s*:/.test(text)) return 'yes';
  if (/"head"\s*:\s*\{[^{}]*"(functionName|hitCount|callUID)"\s*:/.test(text)) return 'yes';
  const startsWithColumns = /^\s*\{\s*"(samples|timeDeltas|timestamps|startTime|endTime)"\s*:/.test(text);
  return startsWithColumns && /\.cpuprofile(\.gz|\.zst)?$/i.test(fileName) ? 'maybe' : 'no';
}

function buildCpuprofile(json: unknown): Profile {
  const file = objectAt(json, 'the file');
  const tree = isObject(file['head'])
    ? { nodes: nodesOfTree(file['head']), orphans: new Set<number>() }
    : nodesOfList(arrayAt(file['nodes'], 'nodes'));
  const samples = isObject(file['head']) ? oldSamples(file) : newSamples(file);
  const builder = new ProfileBuilder(V8_WEIGHTS);
  const facts = readNodeFacts(file);
  const thread = builder.thread(facts?.pid ?? -1, facts?.pid ?? -1, facts === null ? '' : 'main');
  addV8Profile(builder, thread, tree, samples, samples.startTime);
  const every = [...tree.nodes];
  for (const { title, profile } of facts?.threads ?? []) {
    const nodes = nodesOfList(arrayAt(profile['nodes'], 'nodes of a worker'));
    addV8Profile(builder, builder.thread(facts!.pid, -1, title), nodes, newSamples(profile), samples.startTime);
    every.push(...nodes.nodes);
  }
  return builder.finish(v8ValueTypes(every), {
    format: 'cpuprofile',
    timeOrigin: wholeOrNone(samples.startTime * 1000),
    durationNs: durationOf(samples, file),
    ...(facts === null ? {} : addNodeFacts(builder.diagnostics, facts)),
  });
}

function durationOf({ startTime, nodes }: V8Samples, file: JsonObject): number | null {
  const endTime = numberOr(file['endTime'], Number.NaN);
  // Before Node 8 both are in seconds, and less precise than the samples' own times.
  return nodes.length > 0 && endTime > startTime ? (finite((endTime - startTime) * 1000) ?? null) : null;
}

/**
 * Returns the nodes of a list with callers first, according to `children` or `parent`. Nodes whose callers do not lead
 * to a root are orphans. Throws `ImportFailure` if all are.
 */
export function nodesOfList(list: readonly unknown[]): V8Tree {
  const rows = new Map<number, number>();
  const nodes = list.map((value, row): Mutable<V8Node> => {
    const node = objectAt(value, `nodes[${row}]`);
    const id = numberAt(node['id'], `nodes[${row}].id`);
    // Two nodes with the same id could call themselves endlessly.
    if (rows.has(id)) throw new ImportFailure('malformed', `nodes[${row}] has the id ${id} of another node`);
    rows.set(id, row);
    const parent = node['parent'] === undefined ? null : numberAt(node['parent'], `nodes[${row}].parent`);
    const callFrame = objectAt(node['callFrame'], `nodes[${row}].callFrame`);
    return { id, parent, callFrame, hitCount: Math.max(0, numberOr(node['hitCount'], 0)) };
  });
  list.forEach((value, row) => {
    for (const child of arrayOrNone((value as JsonObject)['children'], `nodes[${row}].children`)) {
      const called = rows.get(numberAt(child, `nodes[${row}].children`));
      if (called !== undefined) nodes[called]!.parent ??= nodes[row]!.id;
    }
  });
  const isOrdered = nodes.every(({ parent }, row) => parent === null || (rows.get(parent) ?? row) < row);
  if (isOrdered) return { nodes, orphans: new Set() };
  const ordered = callersFirst(nodes);
  const orphans = new Set(rows.keys());
  for (const { id } of ordered) orphans.delete(id);
  return { nodes: ordered, orphans };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function callersFirst(nodes: readonly V8Node[]): V8Node[] {
  const byParent = new Map<number | null, V8Node[]>();
  for (const node of nodes) {
    const siblings = byParent.get(node.parent);
    if (siblings === undefined) byParent.set(node.parent, [node]);
    else siblings.push(node);
  }
  const ordered = [...(byParent.get(null) ?? [])];
  for (let at = 0; at < ordered.length; at++) {
    for (const child of byParent.get(ordered[at]!.id) ?? []) ordered.push(child);
  }
  if (ordered.length === 0) throw new ImportFailure('malformed', 'the nodes do not lead to the root');
  return ordered;
}

/** Reads the nested nodes of Node before version 8, whose call frame is the node itself. */
function nodesOfTree(head: JsonObject): V8Node[] {
  const nodes: V8Node[] = [];
  const waiting: { node: JsonObject; parent: number | null }[] = [{ node: head, parent: null }];
  for (let at = 0; at < waiting.length; at++) {
    const { node, parent } = waiting[at]!;
    const id = numberAt(node['id'], 'id of a node');
    nodes.push({ id, parent, callFrame: node, hitCount: Math.max(0, numberOr(node['hitCount'], 0)) });
    for (const child of arrayOrNone(node['children'], 'children of a node')) {
      waiting.push({ node: objectAt(child, 'a node'), parent: id });
    }
  }
  return nodes;
}

function newSamples(file: JsonObject): V8Samples {
  const nodes = numbers(file['samples'], 'samples');
  const deltas = numbers(file['timeDeltas'], 'timeDeltas');
  return { nodes, deltas, startTime: numberOr(file['startTime'], 0), endTime: numberOr(file['endTime'], Number.NaN) };
}

/** Reads times instead of deltas. The one that may follow the last sample's is its end. */
function oldSamples(file: JsonObject): V8Samples {
  const nodes = numbers(file['samples'], 'samples');
  const timestamps = numbers(file['timestamps'], 'timestamps');
  const hasEnd = timestamps.length === nodes.length + 1;
  const endTime = hasEnd ? timestamps.at(-1)! : Number.NaN;
  const times = hasEnd ? timestamps.slice(0, -1) : timestamps;
  const startTime = timestamps[0] ?? 0;
  return { nodes, deltas: times.map((time, row) => time - (times[row - 1] ?? startTime)), startTime, endTime };
}

const numbers = (value: unknown, where: string): number[] =>
  arrayOrNone(value, where).map((entry, row) => numberAt(entry, `${where}[${row}]`));
