import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import type { CallTree } from '#core/analyze/view/stack-view.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import type { Profile } from '#core/model/profile.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';

/** Returns the top-down tree of folded stacks, with siblings sorted by name. */
export function treeOf(text: string): { profile: Profile; tree: CallTree } {
  const profile = profileFromText(text);
  const selection = { valueType: profile.metadata.defaultValueType, threads: null, timeRange: null };
  return { profile, tree: buildCallTree(buildStackView(profile, selection), 'top-down') };
}

/** Returns the name of a tree's row; `all` for the root. */
export function nameOf(profile: Profile, tree: CallTree, node: number): string {
  const func = tree.func[node]!;
  return func < 0 ? 'all' : profile.strings[profile.functions.name[func]!]!;
}
