import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { TransformPreview } from '#core/analyze/transforms/preview-transform.ts';
import type { ProfileView } from '../profile/view.ts';
import { hasCapital } from '../../analysis/pattern-search.ts';
import { seenOf } from './seen.ts';
import type { Seen } from './seen.ts';
import type { TransformForm } from './transform-form.ts';
import { viewTarget } from './transform-target.ts';
import type { TransformTarget } from './transform-target.ts';

/** What a transform would do, and what else is to be said of it. */
export interface ShownPreview extends TransformPreview {
  /** Why it would mislead; null: it would not. */
  readonly warning?: string | null;
}

/** Whose stacks a transform changes: a view's, or those of both sides of a comparison. */
export interface TransformSubject {
  readonly target: TransformTarget;
  readonly searchText: string;
  /** As it was when the dialog opened; nothing else changes it meanwhile. */
  readonly seen: () => Seen;
  readonly preview: (before: readonly NamedTransform[], transform: NamedTransform) => Promise<ShownPreview>;
}

/** What the dialog is about: a new transform, with fields filled in, or one of the list. */
export interface TransformDraft {
  readonly subject: TransformSubject;
  /** Of the subject's transforms; null: a new one, applied last. */
  readonly index: number | null;
  /** What a new one begins with. */
  readonly form: Partial<TransformForm>;
}

/** A new transform: its regular expression is what is searched for, with the same case. */
export function newDraft(subject: TransformSubject): TransformDraft {
  const { searchText } = subject;
  const form = searchText === '' ? {} : { pattern: searchText, ignoreCase: !hasCapital(searchText) };
  return { subject, index: null, form };
}

export function viewSubject(view: ProfileView): TransformSubject {
  return {
    target: viewTarget(view),
    searchText: view.store.get().searchText,
    seen: () => seenOf(view),
    preview: async (before, transform) => {
      const client = view.client();
      if (client === null) throw new Error('the profile is closed');
      return client.call('preview', { selection: view.store.get().selection, before, transform });
    },
  };
}
