import { useCallback, useMemo, type ReactElement, type ReactNode } from 'react';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import { useCompare } from '../../state/compare/context.ts';
import { NotesContext, usePins, type NotesAround } from '../../state/notes/context.ts';
import type { ListedNote } from '../../state/notes/pins.ts';
import { showNotes } from '../../state/show-notes.ts';
import { useProfileTab, useView, useViewState } from '../../state/profile/context.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import type { Compared } from '../../analysis/comparison/protocol.ts';

/** Provides the notes of the file to the enclosed view. */
export function ProfileNotes({ children }: { children: ReactNode }): ReactElement {
  const tab = useProfileTab();
  const view = useView();
  const workbench = useWorkbench();
  const revision = useViewState((state) => state.analysis?.revision ?? null);
  const ask = useMemo(
    () =>
      revision === null
        ? null
        : (anchors: Parameters<NonNullable<Parameters<typeof usePins>[1]>>[0]) =>
            view.ask('anchor-notes', { revision, anchors }),
    [view, revision],
  );
  const pins = usePins(tab.notes, ask);
  const goTo = useCallback(
    ({ note: { anchor }, place }: ListedNote): void => {
      if (anchor.kind === 'range') {
        const { start, end } = anchor;
        if (end !== null && end > start) view.select({ timeRange: { start, end } });
        else view.lookAtTime({ window: null });
        return;
      }
      const [func] = place?.funcs ?? [];
      const [node] = place?.nodes ?? [];
      if (func === undefined) return;
      if (node !== undefined) view.zoom(node as CallNodeIndex);
      view.pick({ func: func as FunctionIndex, node: (node ?? null) as CallNodeIndex | null });
    },
    [view],
  );
  const around = useMemo<NotesAround>(
    () => ({ book: tab.notes, pins, goTo, noun: 'capture', openList: () => showNotes(workbench, tab) }),
    [tab, pins, goTo, workbench],
  );
  return <NotesContext value={around}>{children}</NotesContext>;
}

/** Provides the notes of the comparison to the enclosed view. */
export function CompareNotes({ compared, children }: { compared: Compared; children: ReactNode }): ReactElement {
  const tab = useCompare();
  const workbench = useWorkbench();
  const { revision } = compared;
  const ask = useCallback(
    (anchors: Parameters<NonNullable<Parameters<typeof usePins>[1]>>[0]) =>
      tab.ask('anchor-notes', { revision, anchors }),
    [tab, revision],
  );
  const pins = usePins(tab.notes, ask);
  const around = useMemo<NotesAround>(
    () => ({
      book: tab.notes,
      pins,
      noun: 'experiment',
      goTo: ({ place }) => {
        const [func] = place?.funcs ?? [];
        const [node] = place?.nodes ?? [];
        if (func === undefined) return;
        if (node !== undefined) tab.zoom(node as CallNodeIndex);
        tab.pick({ func: func as FunctionIndex, node: (node ?? null) as CallNodeIndex | null });
      },
      openList: () => showNotes(workbench, tab),
    }),
    [tab, pins, workbench],
  );
  return <NotesContext value={around}>{children}</NotesContext>;
}
