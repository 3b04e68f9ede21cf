/**
 * Sorts samples by time; ties keep the order of the list. Captures are nearly in order, so ascending runs are merged
 * pairwise: one pass if there is one run, never worse than n log n.
 */
export function sortByTime(samples: Int32Array, time: Float64Array): Int32Array {
  let starts = runStarts(samples, time);
  let from: Int32Array = samples;
  let to: Int32Array = new Int32Array(samples.length);
  while (starts.length > 2) {
    const merged: number[] = [];
    for (let run = 0; run + 1 < starts.length; run += 2) {
      const start = starts[run]!;
      const middle = starts[run + 1]!;
      merge(from, to, time, start, middle, starts[run + 2] ?? middle);
      merged.push(start);
    }
    merged.push(samples.length);
    starts = merged;
    const spare = from === samples ? new Int32Array(samples.length) : from;
    from = to;
    to = spare;
  }
  return from;
}

/** Returns the start of each ascending run, and the end of the last one. */
function runStarts(samples: Int32Array, time: Float64Array): number[] {
  const starts = [0];
  for (let place = 1; place < samples.length; place++) {
    if (time[samples[place]!]! < time[samples[place - 1]!]!) starts.push(place);
  }
  starts.push(samples.length);
  return starts;
}

/** Merges [start, middle) and [middle, end) of `from` into `to`. */
function merge(from: Int32Array, to: Int32Array, time: Float64Array, start: number, middle: number, end: number): void {
  let left = start;
  let right = middle;
  for (let place = start; place < end; place++) {
    const takesLeft = right >= end || (left < middle && time[from[left]!]! <= time[from[right]!]!);
    to[place] = takesLeft ? from[left++]! : from[right++]!;
  }
}
