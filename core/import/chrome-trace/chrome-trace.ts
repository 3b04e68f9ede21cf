import { NO_STACK, type FrameIndex, type StackIndex, type ThreadIndex } from '../../model/brand.ts';
import { malformed } from '../../model/failure.ts';
import { ProfileBuilder, type ValueTypeKey } from '../../model/profile-builder.ts';
import type { Profile } from '../../model/profile.ts';
import type { Head, Importer, SniffResult } from '../importer.ts';
import { JsonSession, type Mend } from '../text/json-session.ts';
import {
  arrayAt,
  arrayOrNone,
  finite,
  isObject,
  lineOf,
  objectAt,
  textOr,
  wholeOrNone,
  numberAt,
  numberOr,
  type JsonObject,
} from '../text/json-value.ts';
import { distinctNamer } from '../stacks/distinct-names.ts';
import { OpenSpans } from '../stacks/open-spans.ts';
import { idText, numeric, traceEvent, type TraceEvent } from './event.ts';
import { traceSpans } from './spans.ts';
import { addV8Profile, V8_WEIGHTS, v8ValueTypes, type V8Samples, type V8Tree } from '../v8/profile.ts';
import { nodesOfList } from '../v8/node-list.ts';

/** Traces of Chrome, of Node's `--trace-event-categories` and of every writer of the Trace Event Format. */
export const chromeTraceImporter: Importer = {
  id: 'chrome-trace',
  label: 'Chrome trace',
  extensions: ['trace', 'trace.json', 'json'],
  keeps:
    'V8 CPU profiles in the trace, with every sample and its time; otherwise events with a start and an end, by process and thread, or the trace’s samples',
  loses:
    'instants, counters, flows and asynchronous events; with a CPU profile also all other events; both are counted',
  recognizedBy: 'JSON with `traceEvents`, or an array of events with a `ph` each, which may lack its end',
  specification: 'https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU',
  sniff: sniffTrace,
  start: () => new JsonSession('a trace', buildTrace, mendArray),
};

function sniffTrace({ text, complete }: Head): SniffResult {
  if (/^\s*\{/.test(text)) {
    return /"traceEvents"\s*:\s*\[/.test(text) || (/"stackFrames"\s*:/.test(text) && /"samples"\s*:/.test(text))
      ? 'yes'
      : 'no';
  }
  if (!/^\s*\[\s*\{/.test(text)) return 'no';
  return /"ph"\s*:\s*"[A-Za-z]"/.test(text) ? 'yes' : complete ? 'no' : 'maybe';
}

/** The format allows a writer that was stopped to leave the array open. An incomplete event at its end is left out. */
const mendArray: Mend = (text) => {
  const trimmed = text.trimEnd();
  if (!trimmed.trimStart().startsWith('[')) return null;
  const closed = trimmed.replace(/,$/, '');
  if (closed.endsWith('}')) return { text: `${closed}]`, note: 'The trace has no end: its writer was stopped.' };
  const lastWhole = trimmed.lastIndexOf('},');
  if (lastWhole < 0) return null;
  return {
    text: `${trimmed.slice(0, lastWhole + 1)}]`,
    note: 'The trace ends within an event, which was skipped.',
  };
};

function buildTrace(json: unknown, note: string | null): Profile {
  const file = Array.isArray(json) ? { traceEvents: json } : objectAt(json, 'the file');
  const entries = arrayOrNone(file['traceEvents'], 'traceEvents');
  if (entries.length > 0) objectAt(entries[0], 'traceEvents[0]');
  const events = entries.filter(isObject).map(traceEvent);
  const builder = new ProfileBuilder(V8_WEIGHTS);
  if (note !== null) builder.diagnostics.add('unfinished-file', note);
  const count = entries.length - events.length;
  if (count > 0) {
    const first = entries.findIndex((entry) => !isObject(entry));
    const message = `Entries that are not events were skipped, the first being traceEvents[${first}].`;
    builder.diagnostics.add('skipped-event', message, { count });
  }
  const profile = buildFrom(builder, file, events);
  if (profile.samples.length === 0 && profile.diagnostics.length === 0 && events.length === 0) {
    throw malformed('the trace has no events');
  }
  return profile;
}

function buildFrom(builder: ProfileBuilder, file: JsonObject, events: readonly TraceEvent[]): Profile {
  const profiles = v8ProfilesOf(events);
  const isSampled = isObject(file['stackFrames']) && Array.isArray(file['samples']) && file['samples'].length > 0;
  const threads = createTraceThreads(builder, events);
  const timeOrigin = firstTime(events);
  let valueTypes: readonly ValueTypeKey[];
  if (profiles.length > 0) {
    valueTypes = v8ValueTypes(profiles.flatMap(({ tree }) => tree.nodes));
    for (const { tree, samples, pid, tid } of profiles) {
      addV8Profile(builder, threads.thread(pid, tid), tree, samples, timeOrigin);
    }
    countOthers(builder, events, 'Events next to the CPU profile are not shown.');
  } else if (isSampled) {
    valueTypes = v8ValueTypes([]);
    addSamples(builder, threads, file, timeOrigin);
  } else {
    valueTypes = [{ type: 'time', unit: 'microseconds' }];
    addSpans(builder, threads, events, timeOrigin);
  }
  return builder.finish(valueTypes, {
    format: 'chrome-trace',
    timeOrigin: wholeOrNone(timeOrigin * 1000),
  });
}

/** Names of threads also have times, which state when they were written. */
function firstTime(events: readonly TraceEvent[]): number {
  let first = Infinity;
  for (const { phase, time } of events) if (phase !== 'M' && time < first) first = time;
  return Number.isFinite(first) ? first : 0;
}

const SPAN_PHASES: ReadonlySet<string> = new Set(['B', 'E', 'X']);

function addSpans(
  builder: ProfileBuilder,
  threads: TraceThreads,
  events: readonly TraceEvent[],
  timeOrigin: number,
): void {
  const spans = events.filter(({ phase }) => SPAN_PHASES.has(phase));
  const timed = spans.filter(({ time }) => !Number.isNaN(time));
  const count = spans.length - timed.length;
  if (count > 0) builder.diagnostics.add('no-time', 'Events without a timestamp were skipped.', { count });
  const byThread = Map.groupBy(timed, ({ pid, tid }) => threads.thread(pid, tid));
  const join = builder.stack.bind(builder);
  for (const [thread, own] of byThread) {
    const tell = (stack: StackIndex, time: number, duration: number): void =>
      builder.sample({ stack, thread, time: finite((time - timeOrigin) * 1000) }, duration);
    traceSpans(own, (event) => addFrame(builder, event), new OpenSpans(join, tell), builder.diagnostics);
  }
  countOthers(
    builder,
    events.filter(({ phase }) => !SPAN_PHASES.has(phase)),
    'Events that are not spans of a thread are not shown.',
  );
}

function countOthers(builder: ProfileBuilder, events: readonly TraceEvent[], message: string): void {
  const count = events.filter(
    ({ phase, name }) => phase !== 'M' && !name.startsWith('Profile') && name !== 'CpuProfile',
  ).length;
  if (count > 0) builder.diagnostics.add('other-events', message, { severity: 'info', count });
}

/**
 * For Hermes, the function that was called. Otherwise `filename` and `line`, as py-spy writes them, are the frame's
 * file and line; other arguments follow the name, because they distinguish calls.
 */
function addFrame(builder: ProfileBuilder, { name, args }: TraceEvent): FrameIndex {
  if (args === null) return builder.frame({ func: builder.function({ name }) });
  if (typeof args['allocatedName'] === 'string') {
    const line = lineOf(numeric(args['funcLine'] ?? args['line']));
    return builder.frame({ func: builder.function({ name, file: textOr(args['url'], ''), line }) });
  }
  const [file, row] = [textOr(args['filename'], ''), lineOf(args['line'])];
  const others = Object.fromEntries(
    Object.entries(args).filter(([key]) => !((key === 'filename' && file !== '') || (key === 'line' && row > 0))),
  );
  const suffix = Object.keys(others).length === 0 ? '' : ` ${JSON.stringify(others)}`;
  return builder.frame({ func: builder.function({ name: `${name}${suffix}`, file }), line: row });
}

/** Adds samples of the stacks in `stackFrames`: each lasts until the thread's next one. */
function addSamples(builder: ProfileBuilder, threads: TraceThreads, file: JsonObject, timeOrigin: number): void {
  const stacks = stacksOf(builder, objectAt(file['stackFrames'], 'stackFrames'));
  const samples = arrayAt(file['samples'], 'samples').map((sample, row) =>
    traceEvent(objectAt(sample, `samples[${row}]`)),
  );
  const lastOf = new Map<ThreadIndex, { stack: StackIndex; time: number }>();
  const tell = (thread: ThreadIndex, next: number): void => {
    const before = lastOf.get(thread);
    if (before === undefined) return;
    const time = finite((before.time - timeOrigin) * 1000);
    builder.sample({ stack: before.stack, thread, time }, Math.max(0, next - before.time), 1);
  };
  const ordered = samples.filter(({ time }) => !Number.isNaN(time)).sort((a, b) => a.time - b.time);
  if (ordered.length < samples.length) {
    builder.diagnostics.add('no-time', 'Samples without a timestamp were skipped.', {
      count: samples.length - ordered.length,
    });
  }
  for (const { pid, tid, time, fields } of ordered) {
    const thread = threads.thread(pid, tid);
    tell(thread, time);
    const frame = idText(fields['sf']);
    lastOf.set(thread, { stack: frame === '' ? NO_STACK : stacks(frame), time });
  }
  for (const [thread, { time }] of lastOf) tell(thread, time);
}

function stacksOf(builder: ProfileBuilder, frames: JsonObject): (id: string) => StackIndex {
  const known = new Map<string, StackIndex>();
  const count = Object.keys(frames).length;
  return (wanted) => {
    const path: string[] = [];
    let id: string | null = wanted;
    while (id !== null && !known.has(id)) {
      if (!Object.hasOwn(frames, id)) throw malformed(`missing stackFrames[${id}]`);
      if (path.length > count) throw malformed('stackFrames call one another in a cycle');
      path.push(id);
      const { parent } = objectAt(frames[id], `stackFrames[${id}]`);
      id = typeof parent === 'number' || typeof parent === 'string' ? String(parent) : null;
    }
    let stack = id === null ? NO_STACK : known.get(id)!;
    for (const next of path.reverse()) {
      const { name } = objectAt(frames[next], 'a stack frame');
      stack = builder.stack(
        stack,
        builder.frame({ func: builder.function({ name: textOr(name, '') || '(unnamed)' }) }),
      );
      known.set(next, stack);
    }
    return stack;
  };
}

interface TraceThreads {
  /** Returns the thread with these ids of the trace, which no other ids share. */
  thread(pid: string, tid: string): ThreadIndex;
}

/** Returns the threads of a trace, with the names from its metadata events. */
function createTraceThreads(builder: ProfileBuilder, events: readonly TraceEvent[]): TraceThreads {
  const processes = new Map<string, string>();
  const threads = new Map<string, string>();
  for (const { phase, name, pid, tid, args } of events) {
    if (phase !== 'M') continue;
    if (name === 'process_name') processes.set(pid, textOr(args?.['name'], ''));
    else if (name === 'thread_name') threads.set(keyOf(pid, tid), textOr(args?.['name'], ''));
  }
  const known = new Map<string, ThreadIndex>();
  const distinctName = distinctNamer();
  return {
    thread(pid, tid) {
      const key = keyOf(pid, tid);
      const found = known.get(key);
      if (found !== undefined) return found;
      const ids = { pid: isId(pid) ? Number(pid) : -1, tid: isId(tid) ? Number(tid) : -1 };
      const name = threads.get(key) || processes.get(pid) || (isId(tid) ? '' : tid);
      const made = builder.thread(ids.pid, ids.tid, distinctName({ ...ids, name }));
      known.set(key, made);
      return made;
    },
  };
}

const keyOf = (pid: string, tid: string): string => JSON.stringify([pid, tid]);

/** Returns whether a text fits into the id columns. */
const isId = (text: string): boolean => /^\d{1,10}$/.test(text) && Number(text) < 2 ** 31;

/** A CPU profile within a trace, and its thread. */
interface TracedProfile {
  readonly pid: string;
  readonly tid: string;
  readonly tree: V8Tree;
  readonly samples: V8Samples;
}

interface Chunks {
  readonly pid: string;
  tid: string;
  startTime: number;
  endTime: number;
  readonly nodes: unknown[];
  readonly samples: number[];
  readonly deltas: number[];
}

/**
 * Returns CPU profiles in one piece (`CpuProfile`), or in chunks (`Profile`, then `ProfileChunk`s with the same process
 * and id).
 */
function v8ProfilesOf(events: readonly TraceEvent[]): TracedProfile[] {
  const chunked = new Map<string, Chunks>();
  for (const event of events) {
    const { name, pid, tid, args, fields } = event;
    if (name !== 'Profile' && name !== 'ProfileChunk' && name !== 'CpuProfile') continue;
    const data = isObject(args?.['data']) ? args['data'] : {};
    const key = name === 'CpuProfile' ? `${chunked.size} whole` : JSON.stringify([pid, fields['id']]);
    const chunks = chunked.get(key) ?? {
      pid,
      tid,
      startTime: 0,
      endTime: Number.NaN,
      nodes: [],
      samples: [],
      deltas: [],
    };
    chunked.set(key, chunks);
    if (name === 'Profile') {
      chunks.tid = tid;
      chunks.startTime = numberOr(data['startTime'], event.time || 0);
    } else addChunk(chunks, data, name === 'CpuProfile');
  }
  return [...chunked.values()]
    .filter(({ nodes }) => nodes.length > 0)
    .map(({ pid, tid, startTime, endTime, nodes, samples, deltas }) => ({
      pid,
      tid,
      tree: nodesOfList(nodes),
      samples: { nodes: samples, deltas, startTime, endTime },
    }));
}

function addChunk(chunks: Chunks, data: JsonObject, isWhole: boolean): void {
  const profile = isObject(data['cpuProfile']) ? data['cpuProfile'] : data;
  if (isWhole) chunks.startTime = numberOr(profile['startTime'], 0);
  chunks.endTime = numberOr(data['endTime'] ?? profile['endTime'], chunks.endTime);
  // Added one by one, because a chunk may have more items than a call accepts arguments.
  for (const node of arrayOrNone(profile['nodes'], 'nodes')) chunks.nodes.push(objectAt(node, 'a node'));
  for (const id of arrayOrNone(profile['samples'], 'samples')) chunks.samples.push(numberAt(id, 'a sample'));
  for (const delta of arrayOrNone(data['timeDeltas'] ?? profile['timeDeltas'], 'timeDeltas')) {
    chunks.deltas.push(numberAt(delta, 'a time delta'));
  }
}
