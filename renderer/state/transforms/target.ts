import { OWN_TREE } from '../../analysis/methods.ts';
import type { FunctionRef } from '#core/analyze/function-ref.ts';
import type { NamedTransform, PathTarget } from '#core/analyze/transforms/named-transform.ts';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { pathRefs } from '../function-text.ts';
import type { ProfileView } from '../profile/view.ts';

/** What transforms apply to: a view of a profile, or both sides of a comparison. */
export interface TransformTarget {
  readonly transforms: () => readonly NamedTransform[];
  readonly setTransforms: (transforms: readonly NamedTransform[]) => void;
}

/** A frame of a call tree, identified by the names on its path. */
export interface TransformPlace {
  readonly from: PathTarget['from'];
  /** Returns null if the tree has changed and the frame no longer exists. */
  readonly path: () => Promise<readonly FunctionRef[] | null>;
}

export const viewTarget = (view: ProfileView): TransformTarget => ({
  transforms: () => view.store.get().transforms,
  setTransforms: view.setTransforms,
});

/** Returns the place of a row in the view's call tree; null means the function wherever it occurs. */
export function viewPlace(view: ProfileView, node: CallNodeIndex | null): TransformPlace | null {
  const { analysis } = view.store.get();
  if (node === null || analysis === null) return null;
  const { revision, tree } = analysis;
  return {
    from: tree.kind === 'bottom-up' ? 'leaf' : 'root',
    path: async () => {
      const path = await view
        .client()
        ?.call('path', { revision, tree: OWN_TREE, node })
        .catch(() => null);
      return path === undefined || path === null ? null : pathRefs(path);
    },
  };
}
