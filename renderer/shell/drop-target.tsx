import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { carriesCaptures, droppedCaptures } from '../experiments/capture-drag.ts';
import { isExperimentFile } from '../state/experiment-actions.ts';
import type { Workbench } from '../state/workbench.ts';
import { desktopShell } from './desktop.ts';
import { useWorkbench } from './workbench-context.ts';

/** Where a drop goes: the library keeps files, everything else opens them, a pane in itself. Captures of the library open alike. */
interface Place {
  readonly kind: 'library' | 'pane' | 'window';
  readonly pane: string | null;
  readonly box: DOMRect;
}

const TEXT: Readonly<Record<Place['kind'], string>> = {
  library: 'Drop to keep in the library',
  pane: 'Drop to open here',
  window: 'Drop to open',
};

/** What is dropped anywhere in the window: files and captures open in tabs of their own; the library keeps files. */
export function DropTarget(): ReactElement | null {
  const workbench = useWorkbench();
  const [place, setPlace] = useState<Place | null>(null);

  useEffect(() => {
    const over = (event: DragEvent): void => {
      const { dataTransfer, target } = event;
      if (dataTransfer === null) return;
      const next = placeOf(target);
      if (!isTaken(dataTransfer, next)) {
        setPlace(null);
        return;
      }
      event.preventDefault();
      dataTransfer.dropEffect = 'copy';
      setPlace((now) => (now?.kind === next.kind && now.pane === next.pane ? now : next));
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setPlace(null);
    };
    const drop = (event: DragEvent): void => {
      const { dataTransfer, target } = event;
      const to = placeOf(target);
      if (dataTransfer === null || !isTaken(dataTransfer, to)) return;
      event.preventDefault();
      if (carriesCaptures(dataTransfer)) openCaptures(workbench, droppedCaptures(dataTransfer), to);
      else takeFiles(workbench, dataTransfer, to);
    };
    // What a part of the window takes for itself does not come to its document's end.
    const end = (): void => setPlace(null);
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    document.addEventListener('drop', end, true);
    document.addEventListener('dragend', end, true);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
      document.removeEventListener('drop', end, true);
      document.removeEventListener('dragend', end, true);
    };
  }, [workbench]);

  if (place === null) return null;
  const { left, top, width, height } = place.box;
  return (
    <div className="drop-target" style={{ left, top, width, height }} aria-hidden="true">
      <p>{TEXT[place.kind]}</p>
    </div>
  );
}

function placeOf(target: EventTarget | null): Place {
  const element = target instanceof Element ? target : document.documentElement;
  const library = element.closest('.sidebar');
  if (library !== null) return { kind: 'library', pane: null, box: library.getBoundingClientRect() };
  const pane = element.closest<HTMLElement>('.tab-group');
  if (pane !== null) return { kind: 'pane', pane: pane.dataset['pane'] ?? null, box: pane.getBoundingClientRect() };
  return { kind: 'window', pane: null, box: document.documentElement.getBoundingClientRect() };
}

/** Captures are in the library already. */
const isTaken = (carried: DataTransfer, { kind }: Place): boolean =>
  carried.types.includes('Files') || (carriesCaptures(carried) && kind !== 'library');

function openCaptures({ library, tabs }: Workbench, ids: readonly string[], { pane }: Place): void {
  if (pane !== null) tabs.activatePane(pane);
  for (const id of ids) void library.open(id);
}

function takeFiles(workbench: Workbench, dataTransfer: DataTransfer, { kind, pane }: Place): void {
  const { tabs, transfers, experiments, notify, showDialog } = workbench;
  const items = [...dataTransfer.items];
  const isFolder = (item: DataTransferItem): boolean => item.webkitGetAsEntry()?.isDirectory === true;
  const dropped = items.filter((item) => !isFolder(item)).flatMap((item) => item.getAsFile() ?? []);
  void experiments.importFiles(dropped.filter(({ name }) => isExperimentFile(name)));
  const files = dropped.filter((file) => !isExperimentFile(file.name));
  if (items.some(isFolder)) {
    notify({ kind: 'error', text: 'A folder is no profile.', remedy: 'Drop the files inside it.', action: null });
  }
  if (kind === 'library') {
    void transfers.keepFiles(files);
    return;
  }
  if (pane !== null) tabs.activatePane(pane);
  const open = (): void => {
    // The desktop knows where a dropped file is, which lets it be opened again.
    const taken = desktopShell()?.openDropped?.(files) ?? [];
    tabs.openFiles(files.filter((_file, index) => taken[index] !== true));
  };
  const [first, second, ...more] = files;
  if (first === undefined || second === undefined || more.length > 0) open();
  else showDialog({ kind: 'compare-files', files: [first, second], openBoth: open });
}
