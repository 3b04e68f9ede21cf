import type { Profile } from '../model/profile.ts';
import { sampleWeights } from '../model/weights.ts';
import { RowTable } from './row-table.ts';
import type { Selection } from './stack-view.ts';

/** A stack table by function with the weight and the number of samples that end in each row; what transforms turn into another. */
export interface WeightedRows {
  readonly length: number;
  readonly parent: Int32Array;
  readonly func: Int32Array;
  readonly self: Float64Array;
  /** Samples that end in the row. */
  readonly count: Int32Array;
  readonly withoutStack: number;
  readonly withoutStackCount: number;
  readonly hidden: number;
}

/** The selection's rows: stacks by function, only those that a sample with a weight other than 0 goes through. */
export function selectRows(profile: Profile, selection: Selection): { rows: WeightedRows; withoutTime: number } {
  const byStack = weighStacks(profile, selection);
  const { length, parent, frame } = profile.stacks;
  const live = liveRows(parent, byStack.count, length);
  const frameFunction = profile.frames.func;
  // Frames that differ by address or line only fold into one row; where no two frames share a function there is nothing to fold.
  const folds = sharesFunctions(frameFunction, profile.functions.length);
  let liveCount = 0;
  for (let stack = 0; stack < length; stack++) liveCount += live[stack]!;
  const table = new RowTable(liveCount);
  const rowOfStack = new Int32Array(length);
  for (let stack = 0; stack < length; stack++) {
    if (live[stack] === 0) continue;
    const caller = parent[stack]!;
    const callerRow = caller < 0 ? -1 : rowOfStack[caller]!;
    const func = frameFunction[frame[stack]!]!;
    rowOfStack[stack] = folds ? table.intern(callerRow, func) : table.append(callerRow, func);
  }
  const self = new Float64Array(table.length);
  const count = new Int32Array(table.length);
  for (let stack = 0; stack < length; stack++) {
    if (byStack.count[stack] === 0) continue;
    const row = rowOfStack[stack]!;
    self[row]! += byStack.self[stack]!;
    count[row]! += byStack.count[stack]!;
  }
  const rows = {
    length: table.length,
    parent: table.parent.subarray(0, table.length),
    func: table.func.subarray(0, table.length),
    self,
    count,
    withoutStack: byStack.withoutStack,
    withoutStackCount: byStack.withoutStackCount,
    hidden: 0,
  };
  return { rows, withoutTime: byStack.withoutTime };
}

/** 1 for every row that some sample goes through. Rows' callers have smaller indices. */
export function liveRows(parent: Int32Array, count: Int32Array, length: number): Uint8Array {
  const live = new Uint8Array(length);
  for (let row = length - 1; row >= 0; row--) {
    if (count[row] !== 0) live[row] = 1;
    if (live[row] === 1 && parent[row]! >= 0) live[parent[row]!] = 1;
  }
  return live;
}

function weighStacks(profile: Profile, { valueType, threads, timeRange }: Selection) {
  const { samples, stacks } = profile;
  const weights = sampleWeights(profile, valueType);
  const self = new Float64Array(stacks.length);
  const count = new Int32Array(stacks.length);
  const threadChosen = threads === null ? null : flags(profile.threads.length, threads);
  const { time } = samples;
  let withoutStack = 0;
  let withoutStackCount = 0;
  let withoutTime = 0;
  for (let sample = 0; sample < samples.length; sample++) {
    const weight = weights[sample]!;
    if (weight === 0) continue;
    if (threadChosen !== null && threadChosen[samples.thread[sample]!] === 0) continue;
    if (timeRange !== null) {
      const at = time === null ? Number.NaN : time[sample]!;
      if (Number.isNaN(at)) withoutTime += 1;
      if (!(at >= timeRange.start && at < timeRange.end)) continue;
    }
    const stack = samples.stack[sample]!;
    if (stack < 0) {
      withoutStack += weight;
      withoutStackCount += 1;
    } else {
      self[stack]! += weight;
      count[stack]! += 1;
    }
  }
  return { self, count, withoutStack, withoutStackCount, withoutTime };
}

/** 1 at each of the rows named. */
export function flags(length: number, rows: Iterable<number>): Uint8Array {
  const set = new Uint8Array(length);
  for (const row of rows) set[row] = 1;
  return set;
}

function sharesFunctions(frameFunction: Int32Array, functionCount: number): boolean {
  const seen = new Uint8Array(functionCount);
  for (const func of frameFunction) {
    if (seen[func] === 1) return true;
    seen[func] = 1;
  }
  return false;
}
