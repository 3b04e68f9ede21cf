import { functionRef } from '#core/analyze/function-ref.ts';
import type { FunctionRef } from '#core/analyze/function-ref.ts';
import type { CallTree } from '#core/analyze/view/stack-view.ts';
import type { PathTarget } from '#core/analyze/transforms/named-transform.ts';
import type { Profile } from '#core/model/profile.ts';

/**
 * Returns the path to a call tree node, or null for the root, which needs none. `profile` is that of the tree's view.
 */
export function pathTarget(profile: Profile, tree: CallTree, node: number): PathTarget | null {
  if (node === 0) return null;
  const path: FunctionRef[] = [];
  for (let at = node; at > 0; at = tree.parent[at]!) path.push(functionRef(profile, tree.func[at]!));
  return { by: 'path', from: tree.direction === 'top-down' ? 'root' : 'leaf', path: path.reverse() };
}
