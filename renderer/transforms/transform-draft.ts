import type { ProfileView } from '../state/profile-view.ts';
import { hasCapital } from '../worker/pattern-search.ts';
import type { TransformForm } from './transform-form.ts';

/** What the dialog is about: a new transform, with fields filled in, or one of the list. */
export interface TransformDraft {
  readonly view: ProfileView;
  /** Of the view's transforms; null: a new one, applied last. */
  readonly index: number | null;
  /** What a new one begins with. */
  readonly form: Partial<TransformForm>;
}

/** A new transform: its regular expression is what is searched for, with the same case. */
export function newDraft(view: ProfileView): TransformDraft {
  const { searchText } = view.store.get();
  const form = searchText === '' ? {} : { pattern: searchText, ignoreCase: !hasCapital(searchText) };
  return { view, index: null, form };
}
