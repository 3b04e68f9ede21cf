import type { NamedTransform } from '../analyze/transforms/named-transform.ts';
import type { Selection } from '../analyze/view/stack-view.ts';
import type { ResolvedTransforms } from '../analyze/transforms/transforms.ts';

/** What someone looks at: a part of a profile's samples, their stacks changed by transforms. */
export interface SeenView {
  readonly selection: Selection;
  readonly transforms: readonly NamedTransform[];
  /** Of `transforms`, for the profile. */
  readonly resolved: ResolvedTransforms;
}
