import { useCallback, useMemo, type ReactElement, type ReactNode } from 'react';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import { useCompare } from '../../state/compare/context.ts';
import type { CompareTab } from '../../state/compare/compare.types.ts';
import { NotesContext, usePins, type AskPlaces, type NotesAround } from '../../state/notes/context.ts';
import type { ListedNote } from '../../state/notes/pins.ts';
import { showNotes } from '../../state/show-notes.ts';
import { useProfileTab, useView, useViewState } from '../../state/profile/context.ts';
import type { ProfileView } from '../../state/profile/view.ts';
import type { AnalysedTab } from '../../state/tabs/open-tab.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import type { Compared } from '../../analysis/comparison/protocol.ts';

/** Provides the notes of the file to the enclosed view. */
export function ProfileNotes({ children }: { children: ReactNode }): ReactElement {
  const view = useView();
  const revision = useViewState((state) => state.analysis?.revision ?? null);
  const ask = useMemo<AskPlaces | null>(
    () => (revision === null ? null : (anchors) => view.ask('anchor-notes', { revision, anchors })),
    [view, revision],
  );
  const goTo = useCallback(
    (note: ListedNote): void => {
      const { anchor } = note.note;
      if (anchor.kind !== 'range') return goToPlace(view, note);
      const { start, end } = anchor;
      if (end !== null && end > start) view.select({ timeRange: { start, end } });
      else view.lookAtTime({ window: null });
    },
    [view],
  );
  return (
    <NotesScope tab={useProfileTab()} noun="capture" ask={ask} goTo={goTo}>
      {children}
    </NotesScope>
  );
}

/** Provides the notes of the comparison to the enclosed view. */
export function CompareNotes({ compared, children }: { compared: Compared; children: ReactNode }): ReactElement {
  const tab = useCompare();
  const { revision } = compared;
  const ask = useCallback<AskPlaces>((anchors) => tab.ask('anchor-notes', { revision, anchors }), [tab, revision]);
  const goTo = useCallback((note: ListedNote) => goToPlace(tab, note), [tab]);
  return (
    <NotesScope tab={tab} noun="experiment" ask={ask} goTo={goTo}>
      {children}
    </NotesScope>
  );
}

/** Zooms to the frame that a note is on and selects its function, if they are there. */
function goToPlace(view: Pick<ProfileView | CompareTab, 'zoom' | 'pick'>, { place }: ListedNote): void {
  const [func] = place?.funcs ?? [];
  const [node] = place?.nodes ?? [];
  if (func === undefined) return;
  if (node !== undefined) view.zoom(node as CallNodeIndex);
  view.pick({ func: func as FunctionIndex, node: (node ?? null) as CallNodeIndex | null });
}

interface NotesScopeProps extends Pick<NotesAround, 'goTo' | 'noun'> {
  readonly tab: AnalysedTab;
  readonly ask: AskPlaces | null;
  readonly children: ReactNode;
}

function NotesScope({ tab, ask, goTo, noun, children }: NotesScopeProps): ReactElement {
  const workbench = useWorkbench();
  const book = tab.notes;
  const pins = usePins(book, ask);
  const around = useMemo<NotesAround>(() => {
    const open = (id: string): void => {
      book.show(id);
      showNotes(workbench, tab);
    };
    return { book, pins, goTo, noun, open };
  }, [book, pins, goTo, noun, workbench, tab]);
  return <NotesContext value={around}>{children}</NotesContext>;
}
