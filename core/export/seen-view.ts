import type { NamedTransform } from '../analyze/transforms/named-transform.ts';
import type { Selection } from '../analyze/view/stack-view.ts';
import type { ResolvedTransforms } from '../analyze/transforms/transforms.ts';

/** A view: a part of a profile's samples, with stacks changed by transforms. */
export interface SeenView {
  readonly selection: Selection;
  readonly transforms: readonly NamedTransform[];
  /** Of `transforms`, for the profile. */
  readonly resolved: ResolvedTransforms;
}
