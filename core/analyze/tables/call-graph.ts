import type { Profile } from '../../model/profile.ts';
import { childLists, subtreeTotals, walkRows } from '../tree/row-walk.ts';
import type { Selection } from '../view/stack-view.ts';
import { viewFrames } from '../view/view-frames.ts';
import type { ResolvedTransforms } from '../transforms/transforms.ts';
import { spreadToCallers } from '../view/weighted-rows.ts';

/** Calls of one function by another: what stacks with this call weigh, each once. A function's calls of itself are none. */
export interface CallEdge {
  readonly caller: number;
  readonly callee: number;
  readonly weight: number;
  /** Every one of the calls was inlined. */
  readonly inline: boolean;
}

export interface GraphNode {
  /** → functions */
  readonly func: number;
  readonly self: number;
  /** Each stack once, however often the function recurs in it. */
  readonly total: number;
  readonly callers: readonly CallEdge[];
  readonly callees: readonly CallEdge[];
}

interface OpenNode {
  self: number;
  total: number;
  onPath: number;
}

interface OpenEdge {
  readonly caller: number;
  readonly callee: number;
  weight: number;
  inline: boolean;
  onPath: number;
}

/**
 * Every function under a selection and transforms with its direct callers and callees, as the graph of `go tool pprof -peek`. Functions
 * whose weights add up to 0 are left out. Unordered.
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
    const known = edges.get(key) ?? { caller, callee, weight: 0, inline: true, onPath: 0 };
    edges.set(key, known);
    return known;
  };
  walkRows(
    rows,
    childLists(rows),
    (row) => {
      if (live[row] === 0) return;
      const node = nodes.get(rows.func[row]!) ?? { self: 0, total: 0, onPath: 0 };
      nodes.set(rows.func[row]!, node);
      node.self += rows.self[row]!;
      if (node.onPath === 0) node.total += totals[row]!;
      node.onPath += 1;
      const edge = edgeOf(row);
      if (edge === null) return;
      if (edge.onPath === 0) {
        edge.weight += totals[row]!;
        edge.inline &&= inline[frame[row]!] === 1;
      }
      edge.onPath += 1;
    },
    (row) => {
      if (live[row] === 0) return;
      nodes.get(rows.func[row]!)!.onPath -= 1;
      const edge = edgeOf(row);
      if (edge !== null) edge.onPath -= 1;
    },
  );
  return joinEdges(nodes, edges.values());
}

function joinEdges(nodes: ReadonlyMap<number, OpenNode>, edges: Iterable<OpenEdge>): GraphNode[] {
  const callers = new Map<number, CallEdge[]>([...nodes.keys()].map((func) => [func, []]));
  const callees = new Map<number, CallEdge[]>([...nodes.keys()].map((func) => [func, []]));
  for (const { caller, callee, weight, inline } of edges) {
    const edge = { caller, callee, weight, inline };
    callers.get(callee)!.push(edge);
    callees.get(caller)!.push(edge);
  }
  return [...nodes]
    .filter(([, { self, total }]) => self !== 0 || total !== 0)
    .map(([func, { self, total }]) => ({
      func,
      self,
      total,
      callers: callers.get(func)!,
      callees: callees.get(func)!,
    }));
}
