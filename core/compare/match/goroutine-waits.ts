import { countsGoroutines, isGoroutineWait } from '../../analyze/goroutine-waits.ts';
import { RowTable } from '../../analyze/view/row-table.ts';
import type { CompareWarning } from '../compare-warning.ts';
import type { ComparedCapture } from '../measure/measure-capture.ts';
import { restacked, type ComparedSides } from './process-frames.ts';

/** Id of the rule that attributes a goroutine to the code that waits, not to the runtime that parks it. */
export const GOROUTINE_WAITS = 'goroutine-waits';

/** The function in which the runtime starts every goroutine. */
const START = 'runtime.goexit';

/**
 * Removes the innermost frames of Go's standard library from stacks of goroutines: otherwise all goroutines end in
 * `runtime.gopark`. If nothing else is left, the outermost function stays.
 */
export function setGoroutineWaitsAside({ before, after }: ComparedSides): ComparedSides & {
  readonly warnings: readonly CompareWarning[];
} {
  const changed = { before: before.map(withoutWaits), after: after.map(withoutWaits) };
  const isSame = [...before, ...after].every(
    (capture, place) => [...changed.before, ...changed.after][place] === capture,
  );
  const message =
    'A goroutine counts for the innermost function outside Go’s standard library: the frames in which it waits are ignored.';
  return { ...changed, warnings: isSame ? [] : [{ code: GOROUTINE_WAITS, message }] };
}

function withoutWaits(capture: ComparedCapture): ComparedCapture {
  const { profile } = capture;
  if (!countsGoroutines(profile)) return capture;
  const { strings, functions, frames, stacks, samples } = profile;
  const waits = Uint8Array.from(functions.name, (name) => (isGoroutineWait(strings[name]!) ? 1 : 0));
  const isStart = Uint8Array.from(functions.name, (name) => (strings[name] === START ? 1 : 0));
  const funcOf = (stack: number): number => frames.func[stacks.frame[stack]!]!;
  // By stack: where its samples go.
  const end = new Int32Array(stacks.length);
  for (let stack = 0; stack < stacks.length; stack++) {
    const caller = stacks.parent[stack]!;
    const isAside = waits[funcOf(stack)] === 1 && caller >= 0 && isStart[funcOf(caller)] === 0;
    end[stack] = isAside ? end[caller]! : stack;
  }
  const isKept = new Uint8Array(stacks.length);
  for (const own of samples.stack) if (own >= 0) isKept[end[own]!] = 1;
  for (let stack = stacks.length - 1; stack >= 0; stack--) {
    if (isKept[stack] === 1 && stacks.parent[stack]! >= 0) isKept[stacks.parent[stack]!] = 1;
  }
  const table = new RowTable(stacks.length);
  const moved = new Int32Array(stacks.length);
  for (let stack = 0; stack < stacks.length; stack++) {
    const caller = stacks.parent[stack]!;
    if (isKept[stack] === 1) moved[stack] = table.intern(caller < 0 ? -1 : moved[caller]!, stacks.frame[stack]!);
  }
  return restacked(capture, table, (own) => moved[end[own]!]!);
}
