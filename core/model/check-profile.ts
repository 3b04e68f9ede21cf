import { finish, inPieces, type Steps } from '../steps.ts';
import { FunctionKind, type Profile } from './profile.ts';

/**
 * Throws a RangeError naming the first broken invariant. Runs after every import and every read of a native file, also
 * in production: one pass over each column.
 */
export function checkProfile(profile: Profile): void {
  finish(profileChecks(profile));
}

/** Like {@link checkProfile}, in pieces. */
export function* profileChecks(profile: Profile): Steps<void> {
  const { strings, functions, frames, stacks, threads, samples, valueTypes, events, metadata } = profile;
  if (strings[0] !== '') fail('strings[0] is not empty');

  const functionColumns = { name: functions.name, module: functions.module, file: functions.file };
  for (const [name, column] of Object.entries(functionColumns)) {
    checkIndices(`functions.${name}`, column, functions.length, 0, strings.length);
  }
  checkIndices('functions.line', functions.line, functions.length, 0, Infinity);
  checkIndices('functions.kind', functions.kind, functions.length, 0, Object.keys(FunctionKind).length);
  yield;

  checkIndices('frames.func', frames.func, frames.length, 0, functions.length);
  checkIndices('frames.inline', frames.inline, frames.length, 0, 2);
  if (frames.address) checkLength('frames.address', frames.address, frames.length);
  if (frames.line) checkIndices('frames.line', frames.line, frames.length, 0, Infinity);

  yield;
  checkIndices('stacks.frame', stacks.frame, stacks.length, 0, frames.length);
  checkLength('stacks.parent', stacks.parent, stacks.length);
  checkParents(stacks.parent);
  yield;
  yield* checkPairs(stacks.parent, stacks.frame, frames.length);

  yield;
  checkLength('threads.pid', threads.pid, threads.length);
  checkLength('threads.tid', threads.tid, threads.length);
  checkIndices('threads.name', threads.name, threads.length, 0, strings.length);

  checkIndices('samples.stack', samples.stack, samples.length, -1, stacks.length);
  checkIndices('samples.thread', samples.thread, samples.length, 0, threads.length);
  yield;
  if (samples.event) checkIndices('samples.event', samples.event, samples.length, 0, events.length);
  if (samples.labelSet)
    checkIndices('samples.labelSet', samples.labelSet, samples.length, -1, samples.labelSets.length);
  yield;
  if (samples.time) checkTimes(samples.time, samples.length);
  if (samples.duration) {
    checkLength('samples.duration', samples.duration, samples.length);
    checkFinite('samples.duration', samples.duration);
    const negative = samples.duration.findIndex((one) => one < 0);
    if (negative >= 0) fail(`samples.duration[${negative}] = ${samples.duration[negative]}`);
  }
  if (samples.cpu) checkLength('samples.cpu', samples.cpu, samples.length);
  for (const [index, column] of samples.weights.entries()) {
    yield;
    checkLength(`samples.weights[${index}]`, column, samples.length);
    checkFinite(`samples.weights[${index}]`, column);
  }

  if (valueTypes.length === 0) fail('no value type');
  if (valueTypes[metadata.defaultValueType] === undefined)
    fail(`metadata.defaultValueType = ${metadata.defaultValueType}`);
  for (const { type, event, column } of valueTypes) {
    if (event < -1 || event >= events.length) fail(`value type ${type}: event ${event}`);
    if (column < -1 || column >= samples.weights.length) fail(`value type ${type}: column ${column}`);
  }
}

function checkParents(parent: Int32Array): void {
  for (let row = 0; row < parent.length; row++) {
    const above = parent[row]!;
    if (above < -1 || above >= row) fail(`stacks.parent[${row}] = ${above}`);
  }
}

/**
 * Checks that each (parent, frame) pair occurs once; analyses rely on it to give a stack one row. Visits the callees of
 * one caller after the other, in time proportional to the number of stacks whatever the file contains; a hash table
 * could be flooded.
 */
function* checkPairs(parent: Int32Array, frame: Int32Array, frameCount: number): Steps<void> {
  /** Position of a caller's next callee in `rows`, at caller + 1. */
  const next = new Int32Array(parent.length + 2);
  for (let row = 0; row < parent.length; row++) next[parent[row]! + 2]!++;
  for (let at = 1; at < next.length; at++) next[at]! += next[at - 1]!;
  yield;
  const rows = new Int32Array(parent.length);
  for (let row = 0; row < parent.length; row++) rows[next[parent[row]! + 1]!++] = row;
  yield;
  /** Last row that has the frame, by frame. */
  const last = new Int32Array(frameCount).fill(-1);
  yield* inPieces(rows.length, (first, end) => {
    for (let place = first; place < end; place++) {
      const row = rows[place]!;
      const other = last[frame[row]!]!;
      if (other >= 0 && parent[other] === parent[row]) {
        fail(`stacks[${row}] has the parent and the frame of stacks[${other}]`);
      }
      last[frame[row]!] = row;
    }
  });
}

function checkFinite(name: string, column: Float64Array): void {
  for (let row = 0; row < column.length; row++) {
    if (!Number.isFinite(column[row])) fail(`${name}[${row}] = ${column[row]}`);
  }
}

/** Times must be finite, or NaN if a sample has none. */
function checkTimes(column: Float64Array, length: number): void {
  checkLength('samples.time', column, length);
  for (let row = 0; row < length; row++) {
    if (column[row] === Infinity || column[row] === -Infinity) fail(`samples.time[${row}] = ${column[row]}`);
  }
}

function checkLength(name: string, column: { readonly length: number }, length: number): void {
  if (column.length !== length) fail(`${name} has ${column.length} rows, its table ${length}`);
}

/** Checks that every value is in [low, high). */
function checkIndices(name: string, column: Int32Array | Uint8Array, length: number, low: number, high: number): void {
  checkLength(name, column, length);
  const row = column instanceof Int32Array ? firstOutside(column, low, high) : firstByteOutside(column, low, high);
  if (row >= 0) fail(`${name}[${row}] = ${column[row]}, not in [${low}, ${high})`);
}

/**
 * Returns −1 if there is none. One loop per kind of column, because a loop for all kinds takes several times as long.
 */
function firstOutside(column: Int32Array, low: number, high: number): number {
  for (let row = 0; row < column.length; row++) if (column[row]! < low || column[row]! >= high) return row;
  return -1;
}

function firstByteOutside(column: Uint8Array, low: number, high: number): number {
  for (let row = 0; row < column.length; row++) if (column[row]! < low || column[row]! >= high) return row;
  return -1;
}

function fail(what: string): never {
  throw new RangeError(`profile invariant broken: ${what}`);
}
