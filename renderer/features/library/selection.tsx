import { useState, type DragEvent, type KeyboardEvent, type MouseEvent, type ReactElement } from 'react';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { isOver } from '../../state/recording-actions.ts';
import { NO_SELECTION, selectRange, sidesOf, toggleSelected } from '../../state/library-selection.ts';
import type { WorkbenchState } from '../../state/workbench-state.ts';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import type { Workbench } from '../../state/workbench.ts';
import { countOf } from '../../ui/format.ts';
import { startCaptureDrag } from '../../ui/lists/capture-drag.ts';
import type { MenuGroups } from '../../ui/menu/menu.tsx';
import { useComparing } from '../experiments/use-comparing.ts';
import { TagsDialog } from './tags-dialog.tsx';
import { capturesOf, trashRows } from './trash-rows.ts';
import { Button, IconButton } from '../../ui/buttons.tsx';

const NONE: readonly CaptureDocument[] = [];

/** Returns the selected captures that still exist, in the order of the library. */
function useSelectedCaptures(): readonly CaptureDocument[] {
  const ids = useWorkbenchState((state) => state.librarySelection.ids);
  const captures = useWorkbenchState((state) => state.captures);
  return ids.length === 0 || captures === null ? NONE : selectedOf(captures, ids);
}

/** Every row asks for the same. */
const selections = new WeakMap<readonly string[], ReturnType<typeof found>>();

function selectedOf(captures: readonly CaptureDocument[], ids: readonly string[]): readonly CaptureDocument[] {
  const known = selections.get(ids);
  if (known?.captures === captures) return known.selected;
  const now = found(captures, ids);
  selections.set(ids, now);
  return now.selected;
}

function found(captures: readonly CaptureDocument[], ids: readonly string[]) {
  const wanted = new Set(ids);
  return { captures, selected: captures.filter(({ id }) => wanted.has(id)) };
}

export interface Selecting {
  readonly isSelected: boolean;
  /** All selected captures if the row is one of them, else none. */
  readonly many: readonly CaptureDocument[];
  /** Returns the menu of a row that is one of several selected ones. */
  readonly menu: () => MenuGroups;
  readonly toggle: () => void;
  /** Handles a click with Shift; returns false for a plain one, which ends the selection. */
  readonly onClick: (event: MouseEvent<HTMLElement>) => boolean;
  /** Handles Shift+Space, and Escape while something is selected. */
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
  /** Attributes by which a range finds the row, and that let it be dragged, with all that are selected. */
  readonly row: {
    readonly 'data-captures': string;
    readonly 'data-selected': boolean;
    readonly draggable: true;
    readonly onDragStart: (event: DragEvent) => void;
    readonly onDragEnd: () => void;
  };
}

/** Returns how a row of the library, with one capture or the runs of a series, is selected. */
export function useSelecting(captures: readonly CaptureDocument[]): Selecting {
  const workbench = useWorkbench();
  const { store } = workbench;
  const selected = useSelectedCaptures();
  const ids = captures.map(({ id }) => id);
  const isSelected = ids.every((id) => selected.some((one) => one.id === id));
  const many = isSelected ? selected : NONE;
  const comparing = useComparing(many);
  const toggle = (): void => store.set({ librarySelection: toggleSelected(store.get().librarySelection, ids) });
  const clear = (): void => store.set({ librarySelection: NO_SELECTION });
  return {
    isSelected,
    many,
    menu: () => [
      comparing.items(),
      [
        { label: 'Deselect all', hint: 'Escape', run: clear },
        { label: 'Move to the trash', hint: 'Delete', danger: true, run: () => trashSelected(workbench, many) },
      ],
    ],
    toggle,
    onClick: (event) => {
      const { librarySelection: before } = store.get();
      if (!event.shiftKey) {
        store.set({ librarySelection: { ...NO_SELECTION, anchor: ids } });
        return false;
      }
      store.set({ librarySelection: selectRange(before, rowsAround(event.currentTarget), ids) });
      return true;
    },
    onKeyDown: (event) => {
      if (event.key === ' ' && event.shiftKey) toggle();
      else if (event.key === 'Escape' && selected.length > 0) clear();
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
    row: {
      'data-captures': JSON.stringify(ids),
      'data-selected': isSelected,
      draggable: true,
      onDragStart: (event) => {
        startCaptureDrag(event, isSelected ? many.map(({ id }) => id) : ids);
        // Changing the page synchronously would end the drag.
        setTimeout(() => store.set({ draggingCaptures: true }));
      },
      onDragEnd: () => store.set({ draggingCaptures: false }),
    },
  };
}

/** Returns the captures of all rows on screen, in their order. */
function rowsAround(row: HTMLElement): string[][] {
  const rows = row.closest('.sidebar')?.querySelectorAll('[data-captures]') ?? [];
  return [...rows].map(capturesOf);
}

const isRecording = ({ recordings }: WorkbenchState, id: string): boolean =>
  [...recordings.values()].some((status) => status.captureId === id && !isOver(status));

/** Returns the captures that can be tagged and trashed: not samples, and not those being recorded. */
const changeable = (workbench: Workbench, captures: readonly CaptureDocument[]): CaptureDocument[] =>
  captures.filter(({ id, origin }) => origin !== 'sample' && !isRecording(workbench.store.get(), id));

/** Moves the selected captures to the trash, except samples and those being recorded, which are named. */
export function trashSelected(workbench: Workbench, captures: readonly CaptureDocument[]): void {
  const own = changeable(workbench, captures);
  const rest = captures.length - own.length;
  if (rest > 0) {
    const text = `${countOf(rest, 'sample or running recording', 'samples or running recordings')} can’t be trashed.`;
    workbench.notify({ kind: 'info', text, remedy: null, action: null });
  }
  workbench.store.set({ librarySelection: NO_SELECTION });
  if (own.length > 0) void trashRows(workbench, own);
}

/** The checkbox of a row. Keyboards use Shift+Space. */
export function RowCheck({ label, selecting }: { label: string; selecting: Selecting }): ReactElement {
  return (
    <input
      type="checkbox"
      className="row-check"
      tabIndex={-1}
      aria-label={label}
      checked={selecting.isSelected}
      onChange={selecting.toggle}
    />
  );
}

const NOT_TWO = 'Select two captures or series: by their checkboxes, or Shift+Space. Shift-click selects all between.';

/** The actions on the selected captures of the library. */
export function SelectionBar(): ReactElement | null {
  const workbench = useWorkbench();
  const { store, experiments } = workbench;
  const selected = useSelectedCaptures();
  const [tagging, setTagging] = useState(false);
  if (selected.length === 0) return null;
  const sides = sidesOf(selected);
  const own = changeable(workbench, selected);
  const clear = (): void => store.set({ librarySelection: NO_SELECTION });
  return (
    <section className="selection-bar" aria-label="Selected captures">
      <b role="status">{selected.length} selected</b>
      <IconButton icon="close" label="Deselect all" onClick={clear} />
      <Button
        className="primary"
        disabled={sides === null}
        title={sides === null ? NOT_TWO : 'Compare the earlier with the later'}
        onClick={() => {
          experiments.compare(...sides!);
          clear();
        }}
      >
        Compare
      </Button>
      <Button disabled={own.length === 0} title="Group by tags that all of them have" onClick={() => setTagging(true)}>
        Tags…
      </Button>
      <IconButton
        icon="trash"
        label={`Move ${countOf(selected.length, 'selected capture')} to the trash`}
        title="Move to the trash"
        disabled={own.length === 0}
        onClick={() => trashSelected(workbench, selected)}
      />
      {tagging && <TagsDialog captures={own} onClose={() => setTagging(false)} />}
    </section>
  );
}
