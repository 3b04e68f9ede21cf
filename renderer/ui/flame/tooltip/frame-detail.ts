import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { FunctionFacts } from '#core/model/function-facts.ts';
import type { FlameSlice, FrameDelta, PathEntry } from '#core/analyze/graph/flame-slice.ts';
import type { FrameRef } from '../graph.types.ts';
import type { TextureRun } from '../chart/texture-run.ts';

/** A drawn frame or filler, as tooltips and screen readers describe it. Weights are in the value type's unit. */
export interface FrameDetail {
  /** Null for a filler. */
  readonly frame: FrameRef | null;
  /** Null for fillers and the tree's root. */
  readonly facts: FunctionFacts | null;
  readonly self: number;
  readonly total: number;
  /** Total of the zoomed root. */
  readonly rootTotal: number;
  /** Null if the parent is not drawn. */
  readonly parentTotal: number | null;
  readonly parentNode: CallNodeIndex | null;
  /** Number of tree rows in a filler; 0 for frames, and for fillers beyond the drawn rows. */
  readonly fillerNodes: number;
  /** Depth below the zoomed root. */
  readonly depth: number;
  /** Weight to the left of it within the zoomed root; null if it is not drawn. */
  readonly start: number | null;
  /** Null outside of comparisons. */
  readonly delta: FrameDelta | null;
  /** The function inside a filler at the pointer, if known. */
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

/**
 * Returns the details of a texture's function whose filler is not drawn: its approximate position, without a weight.
 */
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

/** Returns the details of a path's last frame, drawn or not; for an empty path, the tree's root without weight. */
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
