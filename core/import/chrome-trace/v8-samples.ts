import { nodesOfList } from '../v8/cpuprofile.ts';
import { arrayOrNone, isObject, numberAt, numberOr, objectAt, type JsonObject } from '../text/json-value.ts';
import type { TraceEvent } from './event.ts';
import type { V8Samples, V8Tree } from '../v8/profile.ts';

/** A CPU profile that a trace carries, and the thread that it is of. */
export interface TracedProfile {
  readonly pid: string;
  readonly tid: string;
  readonly tree: V8Tree;
  readonly samples: V8Samples;
}

interface Chunks {
  readonly pid: string;
  tid: string;
  startTime: number;
  readonly nodes: unknown[];
  readonly samples: number[];
  readonly deltas: number[];
}

/** CPU profiles in one piece (`CpuProfile`), or in chunks (`Profile`, then `ProfileChunk`s of the same process and id). */
export function v8ProfilesOf(events: readonly TraceEvent[]): TracedProfile[] {
  const chunked = new Map<string, Chunks>();
  for (const event of events) {
    const { name, pid, tid, args, fields } = event;
    if (name !== 'Profile' && name !== 'ProfileChunk' && name !== 'CpuProfile') continue;
    const data = isObject(args?.['data']) ? args['data'] : {};
    const key = name === 'CpuProfile' ? `${chunked.size} whole` : JSON.stringify([pid, fields['id']]);
    const chunks = chunked.get(key) ?? { pid, tid, startTime: 0, nodes: [], samples: [], deltas: [] };
    chunked.set(key, chunks);
    if (name === 'Profile') {
      chunks.tid = tid;
      chunks.startTime = numberOr(data['startTime'], event.time || 0);
    } else addChunk(chunks, data, name === 'CpuProfile');
  }
  return [...chunked.values()]
    .filter(({ nodes }) => nodes.length > 0)
    .map(({ pid, tid, startTime, nodes, samples, deltas }) => ({
      pid,
      tid,
      tree: nodesOfList(nodes),
      samples: { nodes: samples, deltas, startTime },
    }));
}

function addChunk(chunks: Chunks, data: JsonObject, isWhole: boolean): void {
  const profile = isObject(data['cpuProfile']) ? data['cpuProfile'] : data;
  if (isWhole) chunks.startTime = numberOr(profile['startTime'], 0);
  // One by one: a chunk may hold more than a call takes arguments.
  for (const node of arrayOrNone(profile['nodes'], 'nodes')) chunks.nodes.push(objectAt(node, 'a node'));
  for (const id of arrayOrNone(profile['samples'], 'samples')) chunks.samples.push(numberAt(id, 'a sample'));
  for (const delta of arrayOrNone(data['timeDeltas'] ?? profile['timeDeltas'], 'timeDeltas')) {
    chunks.deltas.push(numberAt(delta, 'a time delta'));
  }
}
