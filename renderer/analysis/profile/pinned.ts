import type { LiveChanges } from '#core/contract/live.ts';
import type { TreeSource, FrameDelta, PathEntry } from '#core/analyze/graph/flame-slice.ts';
import { sliceDeltas } from '#core/analyze/graph/slice-deltas.ts';
import type { CallTree, FunctionStats } from '#core/analyze/view/stack-view.ts';
import { CompareRefusal } from '#core/model/failure.ts';
import { VERDICTS } from '#core/compare/frame-delta.ts';
import type { CaptureFacts, WeighedCapture } from '#core/compare/measure/capture-facts.ts';
import { normalise, type Normalised } from '#core/compare/normalise.ts';
import { SAME_WITHIN } from '#core/compare/verdict-words.ts';
import type { JudgedKind } from '#core/live/baseline/baseline.ts';
import type { Profile } from '#core/model/profile.ts';
import type { Deltas, PinnedFacts, PinnedRows, PinnedSide } from './pinned-protocol.ts';
import type { FunctionRows } from './protocol.ts';
import type { Viewed } from './viewed.ts';

/** An analysis compared with the same one of the baseline. */
export interface PinnedAnalysis {
  readonly rows: PinnedRows;
  /** The table's functions, including those that only the baseline has. */
  readonly functions: FunctionRows;
  /** Returns the source with the differences of its frames. */
  readonly withDeltas: (source: TreeSource) => TreeSource;
  /** Returns the difference of a node of the live call tree. */
  readonly deltaOf: (node: number) => FrameDelta;
}

interface Analysed {
  readonly viewed: Viewed;
  readonly tree: CallTree;
}

/** Compares an analysis with that of the baseline, which has the same selection and transforms. */
export function comparePinned(pinned: PinnedSide, live: Analysed, base: Analysed): PinnedAnalysis {
  const normalised = normalisePinned(pinned, live.viewed, base.viewed);
  const kind: JudgedKind = normalised.kind === 'per-second' ? 'per-second' : 'share';
  const size = kind === 'per-second' ? pinned.changes.size : null;
  const [from, to] = [factorOf(normalised.before[0]!), factorOf(normalised.after[0]!) / (size ?? 1)];
  const funcOf = functionsInLive(pinned.profile, base.viewed, live.viewed);
  const changes = pinned.changes[kind];
  const found = statesOf(changes ?? []);
  const without = !pinned.isJudged ? UNKNOWN : changes === null ? NOT_DECIDED : NOT_TESTED;
  const tolerance = SAME_WITHIN * base.viewed.view.total * from;
  const functions = withBaseline(live.viewed.stats, base.viewed.stats, funcOf);
  const before = byFunction(base.viewed.stats, funcOf, functions.func);
  const measured = (measure: 'self' | 'total'): Deltas => ({
    before: before[measure].map((weight) => weight * from),
    after: functions[measure].map((weight) => weight * to),
    change: Int8Array.from(functions.func, (func, row) => {
      const isLeaf = functions.self[row] === functions.total[row];
      return found[measure].get(func)?.code ?? (isLeaf ? found.total.get(func)?.code : undefined) ?? 0;
    }),
    missing: Float64Array.from(functions.func, (func) => found[measure].get(func)?.missing ?? NaN),
  });
  const placed = placeOf(live.tree, base.tree, funcOf);
  const deltaOf = (node: number): FrameDelta => {
    const at = placed[node]!;
    const delta = {
      before: (at < 0 ? 0 : base.tree.total[at]!) * from,
      after: live.tree.total[node]! * to,
      selfBefore: (at < 0 ? 0 : base.tree.self[at]!) * from,
      selfAfter: live.tree.self[node]! * to,
    };
    const code = node === 0 ? 0 : (found.total.get(live.tree.func[node]!)?.code ?? 0);
    const by = delta.after - delta.before;
    // A path that changed in the opposite direction to its function, or where that stayed, gets no verdict.
    const isOther = code === SAME ? Math.abs(by) > tolerance : Math.abs(code) === 1 && Math.sign(by) !== code;
    return { ...delta, verdict: code === 0 || isOther ? without : VERDICT_OF[String(code) as keyof typeof VERDICT_OF] };
  };
  return {
    rows: {
      kind,
      unit: normalised.unit,
      size,
      formula: size === null ? normalised.formula : `${normalised.formula}; after ÷ ${size.toFixed(2)}, its size`,
      isDecided: changes !== null,
      warnings: [...(changes === null ? [UNDECIDED] : []), ...normalised.warnings.map(({ message }) => message)],
      totals: { before: base.viewed.view.total * from, after: live.viewed.view.total * to },
      self: measured('self'),
      total: measured('total'),
    },
    functions,
    deltaOf,
    withDeltas: (source) => ({
      ...source,
      requestSlice: async (request) => {
        const data = await source.requestSlice(request);
        return { ...data, deltas: sliceDeltas(data.slice, live.tree, deltaOf) };
      },
      requestPath: async (node) =>
        (await source.requestPath(node)).map((entry): PathEntry => ({ ...entry, delta: deltaOf(entry.node) })),
    }),
  };
}

const [GREW, SHRANK, UNCHANGED, NEEDS, UNKNOWN, NOT_DECIDED, NOT_TESTED] = (
  ['grew', 'shrank', 'same', 'needs-samples', 'unknown', 'not-decided', 'not-tested'] as const
).map((one) => VERDICTS.indexOf(one)) as [number, number, number, number, number, number, number];
/** Verdicts by the codes of {@link Deltas.change}. */
const VERDICT_OF = { '1': GREW, '-1': SHRANK, '2': UNCHANGED, '3': NEEDS } as const;

const UNDECIDED = 'Not decided: load or machine. Fewer than 8 functions have 3 samples a second; shares are judged.';

const factorOf = ({ scale, exposure }: { readonly scale: number; readonly exposure: number }): number =>
  exposure === 0 ? 0 : scale / exposure;

/** Normalises as Compare does; uses shares if the requested kind would be meaningless. */
function normalisePinned(
  { before, after, asked }: PinnedSide,
  live: Pick<Viewed, 'view'>,
  base: Pick<Viewed, 'view'>,
): Normalised {
  const side = ({ name, seconds, rateHz }: PinnedFacts, { view }: Pick<Viewed, 'view'>): WeighedCapture[] => [
    {
      facts: { ...NO_FACTS, name, durationSeconds: seconds, rateHz },
      valueType: view.profile.valueTypes[view.selection.valueType]!,
      total: view.total,
      samples: view.sampleCount,
    },
  ];
  const sides = [side(before, base), side(after, live)] as const;
  try {
    return normalise(...sides, asked);
  } catch (error) {
    if (!(error instanceof CompareRefusal)) throw error;
    // Without weight there are no shares, so all values are 0.
    const nothing = { scale: 1, exposure: 0 };
    const weigh = (captures: readonly WeighedCapture[]) => captures.map(({ total }) => ({ scale: 1, exposure: total }));
    return {
      kind: 'share',
      isDefault: false,
      formula: 'value = weight ÷ total weight',
      divisors: [],
      unit: 'share',
      before: [weigh(sides[0])[0] ?? nothing],
      after: [weigh(sides[1])[0] ?? nothing],
      warnings: [{ code: 'shares-move-together', message: error.message }],
    };
  }
}

const NO_FACTS: CaptureFacts = {
  name: '',
  host: null,
  kernel: null,
  cpuCount: null,
  durationSeconds: null,
  rateHz: null,
  cpuSeconds: null,
  requests: null,
};

interface Found {
  readonly code: number;
  readonly missing: number | null;
}

/** Returns what is known of each function, with the code of {@link Deltas.change}. */
function statesOf(states: NonNullable<LiveChanges[JudgedKind]>): Record<'self' | 'total', Map<number, Found>> {
  const found = { self: new Map<number, Found>(), total: new Map<number, Found>() };
  for (const { func, of: measure, state, missing } of states) found[measure].set(func, { code: CODES[state], missing });
  return found;
}

const SAME = 2;
const CODES = { grew: 1, shrank: -1, same: SAME, open: 3 } as const;

/**
 * Maps the baseline's functions to live ones; −1 if there is none. Recorded functions have the same index in both;
 * those that transforms made are found by name.
 */
function functionsInLive(recorded: Profile, base: Viewed, live: Viewed): (func: number) => number {
  const shared = recorded.functions.length;
  const keys = ({ view }: Viewed, func: number): string => {
    const { strings, functions } = view.profile;
    return `${strings[functions.name[func]!]!}\0${strings[functions.module[func]!]!}`;
  };
  let made: Map<string, number> | null = null;
  return (func) => {
    if (func < shared) return func;
    if (made === null) {
      made = new Map();
      for (let row = live.view.profile.functions.length - 1; row >= shared; row--) made.set(keys(live, row), row);
    }
    return made.get(keys(base, func)) ?? -1;
  };
}

function withBaseline(live: FunctionStats, base: FunctionStats, funcOf: (func: number) => number): FunctionRows {
  const known = new Set(live.func);
  const gone = [...new Set(Array.from(base.func, funcOf))].filter((func) => func >= 0 && !known.has(func));
  const length = live.length + gone.length;
  const func = new Int32Array(length);
  func.set(live.func);
  func.set(gone, live.length);
  const self = new Float64Array(length);
  self.set(live.self);
  const total = new Float64Array(length);
  total.set(live.total);
  return { func, self, total };
}

function byFunction(
  base: FunctionStats,
  funcOf: (func: number) => number,
  func: Int32Array,
): Record<'self' | 'total', Float64Array> {
  const rowOf = new Map(Array.from(base.func, (one, row) => [funcOf(one), row]));
  const rows = Array.from(func, (one) => rowOf.get(one) ?? -1);
  const column = (values: Float64Array): Float64Array => Float64Array.from(rows, (row) => (row < 0 ? 0 : values[row]!));
  return { self: column(base.self), total: column(base.total) };
}

/** Returns the row of each path in the baseline's tree; −1 if it is not there. */
function placeOf(tree: CallTree, base: CallTree, funcOf: (func: number) => number): Int32Array {
  const children = new Map<number, number>();
  for (let node = 0; node < base.length; node++) {
    for (let child = node + 1; child < base.end[node]!; child = base.end[child]!) {
      // Both are below 2^26, so the key is exact.
      children.set(node * 2 ** 26 + funcOf(base.func[child]!), child);
    }
  }
  const placed = new Int32Array(tree.length).fill(-1);
  const path: number[] = [];
  for (let node = 0; node < tree.length; node++) {
    const depth = tree.depth[node]!;
    const caller = depth === 0 ? -1 : path[depth - 1]!;
    const at = depth === 0 ? 0 : caller < 0 ? -1 : (children.get(caller * 2 ** 26 + tree.func[node]!) ?? -1);
    path[depth] = at;
    placed[node] = at;
  }
  return placed;
}
