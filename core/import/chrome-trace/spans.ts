import type { FrameIndex } from '../../model/brand.ts';
import type { DiagnosticCounter } from '../../model/diagnostics.ts';
import type { OpenSpans } from '../stacks/open-spans.ts';
import { durationOf, isNamed, type TraceEvent } from './event.ts';

/** A start or an end. */
interface Edge {
  /** Null: an end without a name, which ends the innermost span. */
  readonly name: string | null;
  /** Name and arguments, which distinguish spans of the same name. */
  readonly frame: FrameIndex;
  readonly time: number;
  readonly row: number;
}

/**
 * Passes the spans of one thread on in order. Starts and ends are two queues, ordered by time. Where both have one at
 * the same time, the order of the trace decides if every end then matches the innermost span. Otherwise, and in threads
 * with events that have a duration, ends come first, except for a span without duration. Among ends at the same time, the one that matches the
 * innermost span comes first. An end whose name differs from the innermost span's is left out. speedscope, which has
 * been tested with many awkward traces, reads them in this way. An end without a name, which the format allows, is in
 * the order of the trace if a span starts at the same time.
 */
export function traceSpans(
  events: readonly TraceEvent[],
  frameOf: (event: TraceEvent) => FrameIndex,
  spans: OpenSpans,
  diagnostics: DiagnosticCounter,
): void {
  const { begins, ends } = edgesOf(events, frameOf);
  const isFileOrder = events.every(({ phase }) => phase !== 'X') && balances(begins, ends);
  const open: Edge[] = [];
  let begin = 0;
  let end = 0;
  let last = begins[0]?.time ?? 0;
  while (begin < begins.length || end < ends.length) {
    if (beginsNext(begins[begin], ends[end], isFileOrder)) {
      const edge = begins[begin++]!;
      open.push(edge);
      spans.open(edge.frame, edge.time);
      last = Math.max(last, edge.time);
      continue;
    }
    const top = open.at(-1);
    if (top !== undefined && !isFileOrder) preferMatch(ends, end, top);
    const edge = ends[end++]!;
    if (top === undefined || (edge.name !== null && edge.name !== top.name)) {
      diagnostics.add('unmatched-end', 'End events that do not match the innermost open event were skipped.');
      continue;
    }
    open.pop();
    spans.close(edge.time);
    last = Math.max(last, edge.time);
  }
  if (open.length > 0)
    diagnostics.add('unfinished', 'Events without an end last as long as their thread’s last event.', {
      count: open.length,
    });
  while (open.pop() !== undefined) spans.close(last);
}

function edgesOf(
  events: readonly TraceEvent[],
  frameOf: (event: TraceEvent) => FrameIndex,
): { begins: Edge[]; ends: Edge[] } {
  const begins: Edge[] = [];
  const ends: Edge[] = [];
  const complete: { edge: Edge; duration: number }[] = [];
  events.forEach((event, row) => {
    const edge = { name: event.name, frame: frameOf(event), time: event.time, row };
    if (event.phase === 'B') begins.push(edge);
    else if (event.phase === 'E') ends.push(isNamed(event) ? edge : { ...edge, name: null });
    else complete.push({ edge, duration: durationOf(event) });
  });
  // If two start together, the longer one contains the other.
  complete.sort((a, b) => a.edge.time - b.edge.time || b.duration - a.duration);
  for (const { edge, duration } of complete) {
    begins.push(edge);
    ends.push({ ...edge, time: edge.time + duration });
  }
  begins.sort((a, b) => a.time - b.time);
  ends.sort((a, b) => a.time - b.time);
  return { begins, ends };
}

/** Returns whether every end matches the innermost span if the order of the trace decides at equal times. */
function balances(begins: readonly Edge[], ends: readonly Edge[]): boolean {
  const open: Edge[] = [];
  let begin = 0;
  for (const end of ends) {
    while (beginsNext(begins[begin], end, true)) open.push(begins[begin++]!);
    const top = open.pop();
    if (top === undefined || (end.name !== null && end.name !== top.name)) return false;
  }
  return true;
}

function beginsNext(begin: Edge | undefined, end: Edge | undefined, isFileOrder: boolean): boolean {
  if (begin === undefined || end === undefined) return begin !== undefined;
  if (begin.time !== end.time) return begin.time < end.time;
  return isFileOrder || end.name === null ? begin.row < end.row : begin.frame === end.frame;
}

/** Moves an end at the same time that matches `top` to `at`: by name and arguments, otherwise by name. */
function preferMatch(ends: Edge[], at: number, top: Edge): void {
  const isSame = [(end: Edge) => end.frame === top.frame, (end: Edge) => end.name === top.name];
  for (const matches of isSame) {
    for (let other = at; other < ends.length && ends[other]!.time <= ends[at]!.time; other++) {
      if (!matches(ends[other]!)) continue;
      [ends[at], ends[other]] = [ends[other]!, ends[at]!];
      return;
    }
  }
}
