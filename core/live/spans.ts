import type { LiveRange, LiveRows, TimedWeights } from './rows.ts';

const SECOND = 1e9;

/** Returns the rows with the weights of one value type, at their own times or spread evenly over the seconds of their span. */
export function spreadOverSeconds(
  { stack, time, weights }: LiveRows,
  valueType: number,
  span: LiveRange,
): TimedWeights {
  const weight = weights[valueType] ?? new Float64Array(stack.length);
  if (time !== null) return { stack, time, weight };
  const parts: { readonly at: number; readonly share: number }[] = [];
  const length = Math.max(1, span.end - span.start);
  for (let at = span.start; at < span.start + length;) {
    const next = Math.min(span.start + length, (Math.floor(at / SECOND) + 1) * SECOND);
    parts.push({ at, share: (next - at) / length });
    at = next;
  }
  const count = stack.length * parts.length;
  const spread = { stack: new Int32Array(count), time: new Float64Array(count), weight: new Float64Array(count) };
  parts.forEach(({ at, share }, index) => {
    const from = index * stack.length;
    spread.stack.set(stack, from);
    spread.time.fill(at, from, from + stack.length);
    for (let row = 0; row < stack.length; row++) spread.weight[from + row] = weight[row]! * share;
  });
  return spread;
}

/** Joins lists of rows. */
export function joinRows(parts: readonly TimedWeights[]): TimedWeights {
  const count = parts.reduce((sum, { stack }) => sum + stack.length, 0);
  const all = { stack: new Int32Array(count), time: new Float64Array(count), weight: new Float64Array(count) };
  let at = 0;
  for (const { stack, time, weight } of parts) {
    all.stack.set(stack, at);
    all.time.set(time, at);
    all.weight.set(weight, at);
    at += stack.length;
  }
  return all;
}
