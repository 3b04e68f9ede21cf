import { spreadToCallers } from '../analyze/view/weighted-rows.ts';
import type { Profile } from '../model/profile.ts';

/** The rows that are kept, in order, and the new index of each row (−1: removed). */
interface Kept {
  readonly rows: Int32Array;
  readonly moved: Int32Array;
}

/**
 * Returns the profile with only the samples whose `keep` is 1, and only the stacks, frames, functions, threads, labels
 * and strings that these use, so that an export reveals nothing else. Value types and events are kept.
 */
export function keepUsed(profile: Profile, keep: Uint8Array): Profile {
  const { functions, frames, threads, stacks } = profile;
  const samples = keptSamples(profile, keep);
  const stackLive = used(stacks.length, samples.stack);
  spreadToCallers(stackLive, stacks.parent);
  const stackRows = renumber(stackLive);
  const frameRows = renumber(used(frames.length, take(stacks.frame, stackRows)));
  const functionRows = renumber(used(functions.length, take(frames.func, frameRows)));
  const threadRows = renumber(used(threads.length, samples.thread));
  const name = take(functions.name, functionRows);
  const module = take(functions.module, functionRows);
  const file = take(functions.file, functionRows);
  const threadName = take(threads.name, threadRows);
  // Row 0, the empty string, is in every profile.
  const stringRows = renumber(used(profile.strings.length, [0], name, module, file, threadName));
  const { moved } = stringRows;
  return {
    ...profile,
    strings: Array.from(stringRows.rows, (row) => profile.strings[row]!),
    functions: {
      length: name.length,
      name: through(name, moved),
      module: through(module, moved),
      file: through(file, moved),
      line: take(functions.line, functionRows),
      kind: take(functions.kind, functionRows),
    },
    frames: {
      length: frameRows.rows.length,
      func: through(take(frames.func, frameRows), functionRows.moved),
      address: frames.address === null ? null : take(frames.address, frameRows),
      line: frames.line === null ? null : take(frames.line, frameRows),
      inline: take(frames.inline, frameRows),
    },
    stacks: {
      length: stackRows.rows.length,
      parent: through(take(stacks.parent, stackRows), stackRows.moved),
      frame: through(take(stacks.frame, stackRows), frameRows.moved),
    },
    threads: {
      length: threadName.length,
      pid: take(threads.pid, threadRows),
      tid: take(threads.tid, threadRows),
      name: through(threadName, moved),
    },
    samples: {
      ...samples,
      stack: through(samples.stack, stackRows.moved),
      thread: through(samples.thread, threadRows.moved),
    },
  };
}

/** Stacks and threads still refer to the original profile. */
function keptSamples({ samples }: Profile, keep: Uint8Array): Profile['samples'] {
  const kept = renumber(keep);
  const labelSet = samples.labelSet === null ? null : take(samples.labelSet, kept);
  const labelRows = renumber(used(samples.labelSets.length, labelSet ?? []));
  return {
    length: kept.rows.length,
    stack: take(samples.stack, kept),
    thread: take(samples.thread, kept),
    event: samples.event === null ? null : take(samples.event, kept),
    time: samples.time === null ? null : take(samples.time, kept),
    ...(samples.duration ? { duration: take(samples.duration, kept) } : {}),
    cpu: samples.cpu === null ? null : take(samples.cpu, kept),
    labelSet: labelSet === null ? null : through(labelSet, labelRows.moved),
    weights: samples.weights.map((column) => take(column, kept)),
    labelSets: Array.from(labelRows.rows, (row) => samples.labelSets[row]!),
  };
}

/** Returns 1 for each row that a column refers to; negative values refer to none. */
function used(length: number, ...columns: readonly ArrayLike<number>[]): Uint8Array {
  const marks = new Uint8Array(length);
  for (const column of columns) {
    for (let row = 0; row < column.length; row++) if (column[row]! >= 0) marks[column[row]!] = 1;
  }
  return marks;
}

function renumber(marks: Uint8Array): Kept {
  const moved = new Int32Array(marks.length).fill(-1);
  let length = 0;
  for (let row = 0; row < marks.length; row++) if (marks[row] === 1) moved[row] = length++;
  const rows = new Int32Array(length);
  for (let row = 0; row < marks.length; row++) if (moved[row]! >= 0) rows[moved[row]!] = row;
  return { rows, moved };
}

type Column = Int32Array | Uint8Array | Int16Array | Float64Array | BigUint64Array;

function take<C extends Column>(column: C, { rows }: Kept): C {
  const taken = new (column.constructor as new (length: number) => C)(rows.length);
  for (let place = 0; place < rows.length; place++) taken[place] = column[rows[place]!]!;
  return taken;
}

/** Negative values (no caller, no stack) are unchanged. */
function through(column: Int32Array, moved: Int32Array): Int32Array {
  return column.map((row) => (row < 0 ? row : moved[row]!));
}
