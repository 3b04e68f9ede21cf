import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { FlameSlice, FrameDelta, FunctionFacts, PathEntry } from '#core/analyze/graph/flame-slice.ts';
import type { FrameRef } from './flame-graph.types.ts';
import type { TextureRun } from './texture-run.ts';

/** A drawn frame or filler, as tooltip and screen reader tell it. Weights in the value type's unit. */
export interface FrameDetail {
  /** Null for a filler. */
  readonly frame: FrameRef | null;
  /** Null for fillers and at the tree's root. */
  readonly facts: FunctionFacts | null;
  readonly self: number;
  readonly total: number;
  /** Of the zoomed root. */
  readonly rootTotal: number;
  /** Null where the parent is not drawn. */
  readonly parentTotal: number | null;
  readonly parentNode: CallNodeIndex | null;
  /** Tree rows that a filler stands for; 0 for frames, and for what a filler beyond the drawn rows holds. */
  readonly fillerNodes: number;
  /** Below the zoomed root. */
  readonly depth: number;
  /** Weight left of it within the zoomed root; null where it is not drawn. */
  readonly start: number | null;
  /** Null outside of comparisons. */
  readonly delta: FrameDelta | null;
  /** Of what a filler holds: what lies at the pointer, where that is known. */
  readonly pointed: FunctionFacts | null;
}

export function frameDetail(data: FlameSlice, row: number, pointed: FunctionFacts | null = null): FrameDetail {
  const { slice } = data;
  const node = slice.node[row]!;
  const func = data.func[row]!;
  const parentRow = slice.parent[row]!;
  return {
    frame: node < 0 ? null : { node: node as CallNodeIndex, func: func < 0 ? null : (func as FunctionIndex) },
    facts: data.functions.get(func) ?? null,
    self: data.self[row]!,
    total: slice.total[row]!,
    rootTotal: data.rootTotal,
    parentTotal: parentRow < 0 ? null : slice.total[parentRow]!,
    parentNode: parentRow < 0 ? null : (slice.node[parentRow] as CallNodeIndex),
    fillerNodes: slice.fillerNodes[row]!,
    depth: slice.depth[row]!,
    start: slice.start[row]!,
    delta: frameDelta(data, row),
    pointed,
  };
}

export function frameDelta({ deltas }: FlameSlice, row: number): FrameDelta | null {
  if (deltas === undefined || row < 0) return null;
  return {
    before: deltas.before[row]!,
    after: deltas.after[row]!,
    selfBefore: deltas.selfBefore[row]!,
    selfAfter: deltas.selfAfter[row]!,
    verdict: deltas.verdict[row]!,
  };
}

/** What a texture shows where its filler is not drawn: which function, and about where; its weight is not known. */
export function hiddenDetail(data: FlameSlice, depth: number, { func, first, last }: TextureRun): FrameDetail {
  return {
    frame: null,
    facts: null,
    self: 0,
    total: last - first,
    rootTotal: data.rootTotal,
    parentTotal: null,
    parentNode: null,
    fillerNodes: 0,
    depth,
    start: first,
    delta: null,
    pointed: data.functions.get(func) ?? null,
  };
}

/** The last frame of a path, whether drawn or not; of an empty path the tree's root, weightless. */
export function detailOfPath(path: readonly PathEntry[], rootNode: CallNodeIndex): FrameDetail {
  const entry = path[path.length - 1];
  const parent = path[path.length - 2];
  const rootPlace = Math.max(
    0,
    path.findIndex(({ node }) => node === rootNode),
  );
  return {
    frame: { node: entry?.node ?? (0 as CallNodeIndex), func: entry?.func ?? null },
    facts: entry?.facts ?? null,
    self: entry?.self ?? 0,
    total: entry?.total ?? 0,
    rootTotal: path[rootPlace]?.total ?? 0,
    parentTotal: parent?.total ?? null,
    parentNode: parent?.node ?? null,
    fillerNodes: 0,
    depth: Math.max(0, path.length - 1 - rootPlace),
    start: null,
    delta: entry?.delta ?? null,
    pointed: null,
  };
}
