/** A part of the time that was collected, in nanoseconds after the store's time origin. */
export interface LiveRange {
  readonly start: number;
  readonly end: number;
}

/** Rows of equal stack and thread, summed; times are null if all are within one bucket or span. */
export interface LiveRows {
  readonly thread: Int32Array;
  readonly stack: Int32Array;
  readonly time: Float64Array | null;
  /** By value type; shorter for rows that are older than a value type. */
  readonly weights: readonly Float64Array[];
  readonly samples: number;
  /** What rows without times cover, until they are in a bucket; null for others. */
  readonly span: LiveRange | null;
}

/** Returns the least time; infinite if there is none. */
export function earliest(time: Float64Array): number {
  let found = Infinity;
  for (const one of time) if (one < found) found = one;
  return found;
}

/** Returns the rows whose time is after `from` and not after `to`; each is one sample. */
export function between(rows: LiveRows, from: number, to: number): LiveRows {
  const time = rows.time!;
  const list: number[] = [];
  for (let row = 0; row < time.length; row++) if (time[row]! > from && time[row]! <= to) list.push(row);
  return list.length === time.length ? rows : pick(rows, list);
}

/** Returns some of the rows of single samples. */
export const pick = (rows: LiveRows, list: readonly number[]): LiveRows => ({
  thread: Int32Array.from(list, (row) => rows.thread[row]!),
  stack: Int32Array.from(list, (row) => rows.stack[row]!),
  time: Float64Array.from(list, (row) => rows.time![row]!),
  weights: rows.weights.map((column) => Float64Array.from(list, (row) => column[row]!)),
  samples: list.length,
  span: null,
});

/** Sums rows of equal stack and thread, and forgets their times. */
export function merge(parts: readonly LiveRows[], valueTypes: number): LiveRows {
  const rowOf = new Map<number, number>();
  const thread: number[] = [];
  const stack: number[] = [];
  const weights: number[][] = Array.from({ length: valueTypes }, () => []);
  for (const part of parts) {
    for (let row = 0; row < part.stack.length; row++) {
      // Threads are fewer than 2^16 and stacks fewer than 2^26, so the key is exact.
      const key = part.thread[row]! * 2 ** 27 + part.stack[row]! + 1;
      let at = rowOf.get(key);
      if (at === undefined) {
        at = stack.length;
        rowOf.set(key, at);
        thread.push(part.thread[row]!);
        stack.push(part.stack[row]!);
        for (const column of weights) column.push(0);
      }
      for (let valueType = 0; valueType < part.weights.length; valueType++) {
        weights[valueType]![at]! += part.weights[valueType]![row]!;
      }
    }
  }
  return {
    thread: Int32Array.from(thread),
    stack: Int32Array.from(stack),
    time: null,
    weights: weights.map((column) => Float64Array.from(column)),
    samples: parts.reduce((sum, { samples }) => sum + samples, 0),
    span: null,
  };
}

/** Single rows with their weights in the default value type; times are nanoseconds after the time origin. */
export interface TimedWeights {
  readonly stack: Int32Array;
  readonly time: Float64Array;
  readonly weight: Float64Array;
}
