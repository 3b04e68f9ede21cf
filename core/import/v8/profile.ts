import { NO_STACK, type EventIndex, type StackIndex, type ThreadIndex } from '../../model/brand.ts';
import { malformed } from '../../model/failure.ts';
import type { FunctionKey, ProfileBuilder, ValueTypeKey } from '../../model/profile-builder.ts';
import { FunctionKind } from '../../model/profile.ts';
import { finite, textOr, numberOr, type JsonObject } from '../text/json-value.ts';

/** A node of V8's call tree; callers come before callees. */
export interface V8Node {
  readonly id: number;
  /** Id of the caller; null: a root. */
  readonly parent: number | null;
  readonly callFrame: JsonObject;
  readonly hitCount: number;
}

export interface V8Tree {
  readonly nodes: readonly V8Node[];
  /** Ids of the nodes that are not in `nodes`, because their chain of callers never reaches a root. */
  readonly orphans: ReadonlySet<number>;
}

/** Times in microseconds. */
export interface V8Samples {
  /** Ids of nodes. */
  readonly nodes: readonly number[];
  /** Time since the previous sample; for the first one, since `startTime`. */
  readonly deltas: readonly number[];
  readonly startTime: number;
  /** NaN if unknown. */
  readonly endTime: number;
}

export const V8_WEIGHTS = 3;

/** Time, samples and, if V8 counted any, hits. */
export function v8ValueTypes(nodes: readonly V8Node[]): ValueTypeKey[] {
  const types = [
    { type: 'time', unit: 'microseconds' },
    { type: 'samples', unit: 'count' },
  ];
  const hits = { type: 'hits', unit: 'count' };
  return nodes.some(({ hitCount }) => hitCount > 0) ? [...types, hits] : types;
}

/**
 * Adds a V8 CPU profile (`Profiler.Profile` of the DevTools protocol) as samples of a thread, each with the time until
 * the next one, a count of 1, and, for a node's first sample, the node's hits. Hits of a node without samples are
 * added without a time. The last sample lasts until the end of the profile, or for the mean interval if that is unknown;
 * the time before the first one belongs to no sample, as in CPUProfileDataModel.ts of Chrome's DevTools. Orphans are skipped with their samples, and counted.
 */
export function addV8Profile(
  builder: ProfileBuilder,
  thread: ThreadIndex,
  { nodes, orphans }: V8Tree,
  samples: V8Samples,
  timeOrigin: number,
  sources?: V8Sources,
  event?: EventIndex,
): void {
  const stacks = addNodes(builder, nodes, sources);
  const hits = new Map(nodes.map(({ id, hitCount }) => [id, hitCount]));
  const { ids, times } = inOrder(builder, samples);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const isEndKnown = samples.endTime >= last && samples.endTime <= Number.MAX_SAFE_INTEGER;
  const end = isEndKnown ? samples.endTime : last + (last - first) / Math.max(1, times.length - 1);
  let skippedTime = 0;
  ids.forEach((id, row) => {
    const stack = stacks.get(id);
    const time = times[row]!;
    const duration = (times[row + 1] ?? end) - time;
    if (orphans.has(id)) {
      skippedTime += duration;
      return;
    }
    if (stack === undefined) throw malformed(`samples[${row}] names node ${id}, which does not exist`);
    builder.sample({ stack, thread, event, time: finite((time - timeOrigin) * 1000) }, duration, 1, hits.get(id) ?? 0);
    hits.set(id, 0);
  });
  if (orphans.size > 0) {
    const whole = end - first;
    const percent = whole > 0 ? ((skippedTime / whole) * 100).toFixed(1) : '0.0';
    const message = `${orphans.size} of ${nodes.length + orphans.size} nodes ${orphans.size === 1 ? 'has' : 'have'} no parent and ${orphans.size === 1 ? 'was' : 'were'} skipped (${percent} % of the time).`;
    builder.diagnostics.add('orphan-nodes', message, { count: orphans.size });
  }
  for (const [id, count] of hits) if (count > 0) builder.sample({ stack: stacks.get(id)!, thread, event }, 0, 0, count);
}

/** Sorts the samples: V8 may write a sample before an earlier one, so that the time since that is negative. */
function inOrder(builder: ProfileBuilder, { nodes, deltas, startTime }: V8Samples): { ids: number[]; times: number[] } {
  if (nodes.length !== deltas.length) throw malformed(`there are ${nodes.length} samples and ${deltas.length} times`);
  let time = startTime;
  const rows = nodes.map((id, row) => ({ id, time: (time += deltas[row]!) }));
  const early = deltas.filter((delta) => delta < 0).length;
  if (early > 0) {
    builder.diagnostics.add('reordered-samples', 'Samples that were written late were sorted by time.', {
      severity: 'info',
      count: early,
    });
    rows.sort((a, b) => a.time - b.time);
  }
  return { ids: rows.map(({ id }) => id), times: rows.map((row) => row.time) };
}

function addNodes(builder: ProfileBuilder, nodes: readonly V8Node[], sources?: V8Sources): Map<number, StackIndex> {
  const stacks = new Map<number, StackIndex>();
  for (const { id, parent, callFrame } of nodes) {
    const caller = parent === null ? NO_STACK : stacks.get(parent);
    if (caller === undefined) throw malformed(`node ${id} has no caller ${parent}`);
    stacks.set(id, addV8Frame(builder, caller, callFrame, sources));
  }
  return stacks;
}

/** V8's `(root)` represents the whole profile, for which profiles have no frame. */
export function addV8Frame(
  builder: ProfileBuilder,
  caller: StackIndex,
  callFrame: JsonObject,
  sources?: V8Sources,
): StackIndex {
  const key = v8Function(callFrame, sources);
  if (key.name === '(root)' && caller === NO_STACK) return NO_STACK;
  return builder.stack(caller, builder.frame({ func: builder.function(key) }));
}

function v8Function(callFrame: JsonObject, sources?: V8Sources): FunctionKey {
  const url = textOr(callFrame['url'], '');
  const column = numberOr(callFrame['columnNumber'], -1);
  const ownLine = numberOr(callFrame['lineNumber'], -1);
  const source = sources?.get(placeKey(url, ownLine, column));
  const file = source?.file ?? url;
  const line = source?.line ?? ownLine + 1;
  const name = source?.name ?? (textOr(callFrame['functionName'], '') || anonymous(file, line));
  return { name, file, line, column: column + 1, kind: kindOf(name, url) };
}

/** Returns `(anonymous) app.js:12`, so that functions without a name stay apart. */
function anonymous(file: string, line: number): string {
  const [path = ''] = file.split(/[?#]/, 1);
  const place = path.startsWith('node:') ? path : path.slice(path.lastIndexOf('/') + 1);
  return place === '' || line <= 0 ? '(anonymous)' : `(anonymous) ${place}:${line}`;
}

/** Sources of functions by {@link placeKey}. */
export type V8Sources = ReadonlyMap<
  string,
  {
    readonly file: string;
    /** 1-based. */
    readonly line: number;
    /** Null: the running code's name is the best. */
    readonly name: string | null;
  }
>;

/** Identifies a function by the place of its running code, as V8 counts from 0. */
export const placeKey = (url: string, line: number, column: number): string => `${line}:${column} ${url}`;

function kindOf(name: string, file: string): FunctionKind {
  if (file === '' && SYNTHETIC.has(name)) return FunctionKind.synthetic;
  return file === '' ? FunctionKind.user : FunctionKind.jit;
}

const SYNTHETIC: ReadonlySet<string> = new Set(['(root)', '(program)', '(idle)', '(garbage collector)']);
