import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { TransformPreview } from '#core/analyze/transforms/preview-transform.ts';
import type { ProfileView } from '../profile/view.ts';
import { hasCapital } from '#core/analyze/search.ts';
import { functionsInView, type FunctionsInView } from './functions-in-view.ts';
import type { TransformForm } from './form.ts';
import { viewTarget, type TransformTarget } from './target.ts';

/** The effect of a transform, with an optional warning. */
export interface ShownPreview extends TransformPreview {
  /** Why the transform would mislead; null or absent if it would not. */
  readonly warning?: string | null;
}

/** What a transform applies to: a view, or both sides of a comparison. */
export interface TransformSubject {
  readonly target: TransformTarget;
  readonly searchText: string;
  /** Returns the state as of when the dialog opened; nothing else changes it while the dialog is open. */
  readonly seen: () => FunctionsInView;
  readonly preview: (before: readonly NamedTransform[], transform: NamedTransform) => Promise<ShownPreview>;
}

/** What the dialog edits: a new transform with some fields filled in, or an existing one. */
export interface TransformDraft {
  readonly subject: TransformSubject;
  /** Index in the subject's transforms; null for a new one, which is applied last. */
  readonly index: number | null;
  /** Initial fields of a new transform. */
  readonly form: Partial<TransformForm>;
}

/** Returns a draft of a new transform, with the current search as its pattern and the same case sensitivity. */
export function newDraft(subject: TransformSubject): TransformDraft {
  const { searchText } = subject;
  const form = searchText === '' ? {} : { pattern: searchText, ignoreCase: !hasCapital(searchText) };
  return { subject, index: null, form };
}

export function viewSubject(view: ProfileView): TransformSubject {
  return {
    target: viewTarget(view),
    searchText: view.store.get().searchText,
    seen: () => functionsInView(view),
    preview: async (before, transform) => {
      const client = view.client();
      if (client === null) throw new Error('the profile is closed');
      return client.call('preview', { selection: view.store.get().selection, before, transform });
    },
  };
}
