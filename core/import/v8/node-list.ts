import { malformed } from '../../model/failure.ts';
import { arrayOrNone, numberAt, numberOr, objectAt, type JsonObject } from '../text/json-value.ts';
import type { V8Node, V8Tree } from './profile.ts';

/**
 * Returns the nodes of a list with callers first, according to `children` or `parent`. Nodes whose callers do not lead
 * to a root are orphans. Throws `ImportFailure` if all are.
 */
export function nodesOfList(list: readonly unknown[]): V8Tree {
  const rows = new Map<number, number>();
  const nodes = list.map((value, row): Mutable<V8Node> => {
    const node = objectAt(value, `nodes[${row}]`);
    const id = numberAt(node['id'], `nodes[${row}].id`);
    // Two nodes with the same id could call themselves endlessly.
    if (rows.has(id)) throw malformed(`nodes[${row}] has the id ${id} of another node`);
    rows.set(id, row);
    const parent = node['parent'] === undefined ? null : numberAt(node['parent'], `nodes[${row}].parent`);
    const callFrame = objectAt(node['callFrame'], `nodes[${row}].callFrame`);
    return { id, parent, callFrame, hitCount: Math.max(0, numberOr(node['hitCount'], 0)) };
  });
  list.forEach((value, row) => {
    for (const child of arrayOrNone((value as JsonObject)['children'], `nodes[${row}].children`)) {
      const called = rows.get(numberAt(child, `nodes[${row}].children`));
      if (called !== undefined) nodes[called]!.parent ??= nodes[row]!.id;
    }
  });
  const isOrdered = nodes.every(({ parent }, row) => parent === null || (rows.get(parent) ?? row) < row);
  if (isOrdered) return { nodes, orphans: new Set() };
  const ordered = callersFirst(nodes);
  const orphans = new Set(rows.keys());
  for (const { id } of ordered) orphans.delete(id);
  return { nodes: ordered, orphans };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function callersFirst(nodes: readonly V8Node[]): V8Node[] {
  const byParent = Map.groupBy(nodes, ({ parent }) => parent);
  const ordered = [...(byParent.get(null) ?? [])];
  for (let at = 0; at < ordered.length; at++) {
    for (const child of byParent.get(ordered[at]!.id) ?? []) ordered.push(child);
  }
  if (ordered.length === 0) throw malformed('the nodes do not lead to the root');
  return ordered;
}
