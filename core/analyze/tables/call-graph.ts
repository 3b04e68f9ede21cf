import type { Profile } from '../../model/profile.ts';
import { OutermostRows, subtreeTotals, visitInPreOrder } from '../view/row-walk.ts';
import type { Selection } from '../view/stack-view.ts';
import { viewFrames } from '../view/view-frames.ts';
import type { ResolvedTransforms } from '../view/transforms.ts';
import { spreadToCallers } from '../view/weighted-rows.ts';

/**
 * Calls from one function to another; the weight counts each stack with this call once. A function's calls to itself
 * are left out.
 */
export interface CallEdge {
  readonly caller: number;
  readonly callee: number;
  readonly weight: number;
  /** True if every one of the calls was inlined. */
  readonly inline: boolean;
}

export interface GraphNode {
  /** → functions */
  readonly func: number;
  readonly self: number;
  /** Counts each stack once, even if the function recurs in it. */
  readonly total: number;
  readonly callers: readonly CallEdge[];
  readonly callees: readonly CallEdge[];
}

interface OpenNode {
  self: number;
  total: number;
}

interface OpenEdge {
  /** Index among the edges, in the order in which they occur. */
  readonly key: number;
  readonly caller: number;
  readonly callee: number;
  weight: number;
  inline: boolean;
}

/**
 * Returns every function under a selection and transforms with its direct callers and callees, like the graph of `go
 * tool pprof -peek`. Functions whose weights sum to 0 are left out. Unordered.
 */
export function callGraph(
  profile: Profile,
  selection: Selection,
  transforms: ResolvedTransforms | null = null,
): GraphNode[] {
  const { rows, frame } = viewFrames(profile, selection, transforms);
  const live = Uint8Array.from(rows.count, (count) => (count === 0 ? 0 : 1));
  spreadToCallers(live, rows.parent);
  const totals = subtreeTotals(rows, rows.self);
  const { inline } = profile.frames;
  const nodes = new Map<number, OpenNode>();
  const edges = new Map<number, OpenEdge>();
  const functionCount = rows.func.reduce((most, func) => Math.max(most, func + 1), 0);
  const edgeOf = (row: number): OpenEdge | null => {
    const above = rows.parent[row]!;
    if (above < 0 || rows.func[above] === rows.func[row]) return null;
    const [caller, callee] = [rows.func[above]!, rows.func[row]!];
    const key = caller * functionCount + callee;
    const known = edges.get(key) ?? { key: edges.size, caller, callee, weight: 0, inline: true };
    edges.set(key, known);
    return known;
  };
  const outermostNodes = new OutermostRows(functionCount);
  const outermostEdges = new OutermostRows(rows.length);
  visitInPreOrder(rows, (row, place, end) => {
    if (live[row] === 0) return;
    const func = rows.func[row]!;
    const node = nodes.get(func) ?? { self: 0, total: 0 };
    nodes.set(func, node);
    node.self += rows.self[row]!;
    if (outermostNodes.enter(func, place, end)) node.total += totals[row]!;
    const edge = edgeOf(row);
    if (edge === null || !outermostEdges.enter(edge.key, place, end)) return;
    edge.weight += totals[row]!;
    edge.inline &&= inline[frame[row]!] === 1;
  });
  return joinEdges(nodes, edges.values());
}

function joinEdges(nodes: ReadonlyMap<number, OpenNode>, edges: Iterable<OpenEdge>): GraphNode[] {
  const all = Array.from(edges, ({ caller, callee, weight, inline }) => ({ caller, callee, weight, inline }));
  const callers = Map.groupBy(all, ({ callee }) => callee);
  const callees = Map.groupBy(all, ({ caller }) => caller);
  return [...nodes]
    .filter(([, { self, total }]) => self !== 0 || total !== 0)
    .map(([func, { self, total }]) => ({
      func,
      self,
      total,
      callers: callers.get(func) ?? [],
      callees: callees.get(func) ?? [],
    }));
}
