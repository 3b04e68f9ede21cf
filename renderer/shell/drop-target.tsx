import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { isExperimentFile } from '../state/experiment-actions.ts';
import type { Workbench } from '../state/workbench.ts';
import { desktopShell } from './desktop.ts';
import { useWorkbench } from './workbench-context.ts';

/** Where a drop goes: the library keeps files, everything else opens them, a pane in itself. */
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

/** Files dropped anywhere in the window: each opens in a tab of its own, or is kept in the library. */
export function DropTarget(): ReactElement | null {
  const workbench = useWorkbench();
  const [place, setPlace] = useState<Place | null>(null);

  useEffect(() => {
    const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
    const over = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy';
      const next = placeOf(event.target);
      setPlace((now) => (now?.kind === next.kind && now.pane === next.pane ? now : next));
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setPlace(null);
    };
    const drop = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setPlace(null);
      takeDrop(workbench, event, placeOf(event.target));
    };
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
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

function takeDrop(workbench: Workbench, event: DragEvent, { kind, pane }: Place): void {
  const { tabs, transfers, experiments, notify, showDialog } = workbench;
  const items = [...(event.dataTransfer?.items ?? [])];
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
