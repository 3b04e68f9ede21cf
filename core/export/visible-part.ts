import type { NamedTransform } from '../analyze/transforms/named-transform.ts';
import type { Selection } from '../analyze/view/stack-view.ts';
import type { ResolvedTransforms } from '../analyze/view/transforms.ts';

/** The visible part of a profile: a selection of its samples, with stacks changed by transforms. */
export interface VisiblePart {
  readonly selection: Selection;
  readonly transforms: readonly NamedTransform[];
  /** `transforms`, resolved for the profile. */
  readonly resolved: ResolvedTransforms;
  /** The capture's name, and its ID if it is in a library; absent: the name of the profile's file. */
  readonly captureName?: string;
}
