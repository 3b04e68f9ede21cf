import type { NoteAnchor, NotedFunction } from '#core/contract/notes.ts';
import { MAX_NOTE_PATH } from '#core/contract/limits.ts';
import type { FunctionRef } from '#core/analyze/function-ref.ts';
import { OWN_TREE } from '../analysis/methods.ts';
import { functionRefOf, pathRefs } from './function-text.ts';
import type { CompareTab } from './compare/compare.types.ts';
import { UNION } from './compare/source.ts';
import type { AnalysedTab } from './tabs/open-tab.ts';
import type { ProfileTab } from './profile/tab.ts';
import type { Workbench } from './workbench.ts';
import { showNotes } from './show-notes.ts';

/** The subject of a new note. `selected` is the selected frame or function, else the selected range, else the whole. */
export type NoteSubject = 'selected' | 'range' | 'whole';

const noted = ({ name, module }: FunctionRef): NotedFunction => ({
  name: name.slice(0, 10_000),
  module: module.slice(0, 4096),
});

/** Opens the editor of a new note. */
export async function startNote(workbench: Workbench, tab: AnalysedTab, subject: NoteSubject): Promise<void> {
  const anchor = await (tab.kind === 'profile' ? profileAnchor(tab, subject) : compareAnchor(tab, subject));
  const { draft } = tab.notes.store.get();
  // Keeps text already typed for another new note.
  tab.notes.write({ id: null, anchor, text: draft?.id === null ? draft.text : '', colour: draft?.colour ?? 'none' });
  showNotes(workbench, tab);
}

async function profileAnchor(tab: ProfileTab, subject: NoteSubject): Promise<NoteAnchor> {
  const view = tab.store.get().activeView;
  if (view === null || subject === 'whole') return { kind: 'whole' };
  const { picked, analysis, selection } = view.store.get();
  if (subject === 'selected' && picked !== null && analysis !== null) {
    const ref = functionRefOf(analysis.functions ?? view.profile.functions, picked.func);
    const { revision } = analysis;
    if (picked.node === null || picked.revision !== revision) return { kind: 'function', func: noted(ref) };
    const path = pathRefs(await view.ask('path', { revision, tree: OWN_TREE, node: picked.node }));
    const direction = analysis.tree.kind === 'bottom-up' ? 'bottom-up' : 'top-down';
    return pathAnchor(direction, path, ref);
  }
  const range = selection.timeRange;
  return range === null ? { kind: 'whole' } : { kind: 'range', start: range.start, end: range.end };
}

async function compareAnchor(tab: CompareTab, subject: NoteSubject): Promise<NoteAnchor> {
  const { picked, analysis } = tab.store.get();
  if (subject !== 'selected' || picked === null || analysis === null) return { kind: 'whole' };
  const ref = functionRefOf(analysis.functions, picked.func);
  if (picked.node === null) return { kind: 'delta', of: { kind: 'function', func: noted(ref) } };
  const path = await tab.ask('path', { revision: analysis.revision, tree: UNION, node: picked.node });
  return { kind: 'delta', of: pathAnchor('top-down', pathRefs(path), ref) };
}

/** Returns the anchor of a frame, or of its function if the path is too deep for a note. */
function pathAnchor(
  direction: 'top-down' | 'bottom-up',
  path: readonly FunctionRef[],
  ref: FunctionRef,
): Extract<NoteAnchor, { kind: 'path' | 'function' }> {
  if (path.length === 0 || path.length > MAX_NOTE_PATH) return { kind: 'function', func: noted(ref) };
  return { kind: 'path', direction, path: path.map(noted) };
}
