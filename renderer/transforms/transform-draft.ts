import type { ProfileView } from '../state/profile-view.ts';
import type { TransformForm } from './transform-form.ts';

/** What the dialog is about: a new transform, with fields filled in, or one of the list. */
export interface TransformDraft {
  readonly view: ProfileView;
  /** Of the view's transforms; null: a new one, applied last. */
  readonly index: number | null;
  /** What a new one begins with. */
  readonly form: Partial<TransformForm>;
}
