/** A graph's edges by the node that they come from: those of node n are `to[first[n]] … to[first[n + 1] − 1]`. */
export interface Graph {
  /** Length = nodes + 1. */
  readonly first: Uint32Array;
  readonly to: Uint32Array;
}

/** Immediate dominators, and an order in which each node comes after its dominator. */
export interface Dominators {
  /** → nodes; the root for itself and for nodes that it does not reach. */
  readonly of: Uint32Array;
  readonly order: Uint32Array;
}

/**
 * Returns the immediate dominator of each node: the last node that every path from node 0 to it passes. Takes time in
 * proportion to edges × log nodes (Lengauer, Tarjan: A fast algorithm for finding dominators in a flowgraph, 1979, the
 * simple variant); nothing recurses.
 */
export function dominators(graph: Graph): Dominators {
  const length = graph.first.length - 1;
  const { order, number, parent, reached } = depthFirst(graph);
  const callers = reversed(graph, length);
  // Nodes are numbers of the depth-first order from here on.
  const semi = Uint32Array.from({ length: reached }, (_, place) => place);
  const best = semi.slice();
  const ancestor = new Int32Array(reached).fill(-1);
  const dominator = new Uint32Array(reached);
  const bucket = new Int32Array(reached).fill(-1);
  const nextInBucket = new Int32Array(reached).fill(-1);
  const path: number[] = [];
  const evaluate = (from: number): number => {
    if (ancestor[from]! < 0) return from;
    for (let at = from; ancestor[ancestor[at]!]! >= 0; at = ancestor[at]!) path.push(at);
    for (let at = path.pop(); at !== undefined; at = path.pop()) {
      const above = ancestor[at]!;
      if (semi[best[above]!]! < semi[best[at]!]!) best[at] = best[above]!;
      ancestor[at] = ancestor[above]!;
    }
    return best[from]!;
  };
  for (let place = reached - 1; place > 0; place--) {
    const node = order[place]!;
    for (let at = callers.first[node]!; at < callers.first[node + 1]!; at++) {
      const from = number[callers.to[at]!]!;
      if (from < 0) continue;
      const least = semi[evaluate(from)]!;
      if (least < semi[place]!) semi[place] = least;
    }
    nextInBucket[place] = bucket[semi[place]!]!;
    bucket[semi[place]!] = place;
    const above = parent[place]!;
    ancestor[place] = above;
    for (let one = bucket[above]!; one >= 0; one = nextInBucket[one]!) {
      const least = evaluate(one);
      dominator[one] = semi[least]! < semi[one]! ? least : above;
    }
    bucket[above] = -1;
  }
  for (let place = 1; place < reached; place++) {
    if (dominator[place] !== semi[place]) dominator[place] = dominator[dominator[place]!]!;
  }
  const of = new Uint32Array(length);
  for (let place = 1; place < reached; place++) of[order[place]!] = order[dominator[place]!]!;
  let end = reached;
  for (let node = 0; node < length; node++) if (number[node]! < 0) order[end++] = node;
  return { of, order };
}

function depthFirst({ first, to }: Graph) {
  const length = first.length - 1;
  const order = new Uint32Array(length);
  const number = new Int32Array(length).fill(-1);
  /** Place of the node from which a place was reached. */
  const parent = new Uint32Array(length);
  const next = first.slice(0, length);
  const open = [0];
  number[0] = 0;
  let reached = 1;
  while (open.length > 0) {
    const node = open.at(-1)!;
    if (next[node]! >= first[node + 1]!) {
      open.pop();
      continue;
    }
    const target = to[next[node]!]!;
    next[node]! += 1;
    if (number[target]! >= 0) continue;
    number[target] = reached;
    order[reached] = target;
    parent[reached] = number[node]!;
    reached += 1;
    open.push(target);
  }
  return { order, number, parent, reached };
}

function reversed({ first, to }: Graph, length: number): Graph {
  const starts = new Uint32Array(length + 1);
  for (const target of to) starts[target + 1]! += 1;
  for (let node = 0; node < length; node++) starts[node + 1]! += starts[node]!;
  const next = starts.slice(0, length);
  const from = new Uint32Array(to.length);
  for (let node = 0; node < length; node++) {
    for (let at = first[node]!; at < first[node + 1]!; at++) from[next[to[at]!]!++] = node;
  }
  return { first: starts, to: from };
}
