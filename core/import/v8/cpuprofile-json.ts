import { ProfileBuilder } from '../../model/profile-builder.ts';
import type { Profile } from '../../model/profile.ts';
import { JsonSession } from '../text/json-session.ts';
import {
  arrayAt,
  arrayOrNone,
  finite,
  isObject,
  numberAt,
  numberOr,
  objectAt,
  visitTree,
  wholeOrNone,
  type JsonObject,
} from '../text/json-value.ts';
import { addHeap, IN_USE } from './heapprofile-json.ts';
import { addNodeFacts, readNodeFacts } from './node-facts.ts';
import { nodesOfList } from './node-list.ts';
import { addV8Profile, V8_WEIGHTS, v8ValueTypes, type V8Node, type V8Samples } from './profile.ts';

export const cpuprofileSession = (): JsonSession => new JsonSession('a V8 CPU profile', buildCpuprofile);

function buildCpuprofile(json: unknown): Profile {
  const file = objectAt(json, 'the file');
  const tree = isObject(file['head'])
    ? { nodes: nodesOfTree(file['head']), orphans: new Set<number>() }
    : nodesOfList(arrayAt(file['nodes'], 'nodes'));
  const samples = isObject(file['head']) ? oldSamples(file) : newSamples(file);
  const builder = new ProfileBuilder(V8_WEIGHTS);
  const facts = readNodeFacts(file);
  const thread = builder.thread(facts?.pid ?? -1, facts?.pid ?? -1, facts === null ? '' : 'main');
  // With a heap profile, the two are events, whose weights mean different things.
  const [event, inUse] = facts?.heap ? [builder.event('cpu'), builder.event('heap')] : [];
  const sources = facts?.sources;
  addV8Profile(builder, thread, tree, samples, samples.startTime, sources, event);
  if (facts?.heap) addHeap(builder, thread, facts.heap, sources, inUse);
  const every = [...tree.nodes];
  for (const { title, tid, profile, heap } of facts?.threads ?? []) {
    const nodes = nodesOfList(arrayAt(profile['nodes'], 'nodes of a worker'));
    const worker = builder.thread(facts!.pid, tid, title);
    addV8Profile(builder, worker, nodes, newSamples(profile), samples.startTime, sources, event);
    if (heap !== null && inUse !== undefined) addHeap(builder, worker, heap, sources, inUse);
    every.push(...nodes.nodes);
  }
  const valueTypes = v8ValueTypes(every).map((type) => (event === undefined ? type : { ...type, event }));
  if (inUse !== undefined) valueTypes.push({ ...IN_USE, event: inUse, column: 0 });
  return builder.finish(valueTypes, {
    format: 'cpuprofile',
    timeOrigin: wholeOrNone(samples.startTime * 1000),
    durationNs: durationOf(samples, file),
    ...(facts === null ? {} : addNodeFacts(builder.diagnostics, facts, samples.startTime)),
  });
}

function durationOf({ startTime, nodes }: V8Samples, file: JsonObject): number | null {
  const endTime = numberOr(file['endTime'], Number.NaN);
  // Before Node 8 both are in seconds, and less precise than the samples' own times.
  return nodes.length > 0 && endTime > startTime ? (finite((endTime - startTime) * 1000) ?? null) : null;
}

/** Reads the nested nodes of Node before version 8, whose call frame is the node itself. */
function nodesOfTree(head: JsonObject): V8Node[] {
  const nodes: V8Node[] = [];
  visitTree<number | null>(head, null, (node, parent) => {
    const id = numberAt(node['id'], 'id of a node');
    nodes.push({ id, parent, callFrame: node, hitCount: Math.max(0, numberOr(node['hitCount'], 0)) });
    return id;
  });
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
