import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { ImportFailure } from '#core/model/failure.ts';
import { carriesCaptures, droppedCaptures } from '../ui/lists/capture-drag.ts';
import { isExperimentFile } from '../state/experiment-actions.ts';
import type { OpenDialog } from '../state/workbench-state.ts';
import type { Workbench } from '../state/workbench.ts';
import { desktopShell } from '../ui/desktop.ts';
import { droppedFiles, filesIn } from './dropped-files.ts';
import type { Dropped } from './dropped-files.ts';
import { count, countOf } from '../ui/format.ts';
import { isTyping } from '../ui/is-typing.ts';
import { textFile } from './use-paste.ts';
import { useWorkbench } from '../state/workbench-context.ts';

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

/** What another program lets be dropped that is no file. */
const TEXTS = ['text/plain', 'text/uri-list'] as const;

/** What is dropped anywhere in the window: files and captures open in tabs of their own; the library keeps files. */
export function DropTarget(): ReactElement | null {
  const workbench = useWorkbench();
  const [place, setPlace] = useState<Place | null>(null);

  useEffect(() => {
    /** Tabs, captures and selected text of the window itself. */
    let own = false;
    const isTaken = (event: DragEvent, carried: DataTransfer, { kind }: Place): boolean => {
      if (carried.types.includes('Files')) return true;
      // Captures are in the library already.
      if (carriesCaptures(carried)) return kind !== 'library';
      return !own && TEXTS.some((type) => carried.types.includes(type)) && !isTyping(event);
    };
    const start = (): void => {
      own = true;
    };
    const over = (event: DragEvent): void => {
      const { dataTransfer, target } = event;
      if (dataTransfer === null) return;
      const next = placeOf(target);
      if (!isTaken(event, dataTransfer, next)) {
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
      if (dataTransfer === null || !isTaken(event, dataTransfer, to)) return;
      event.preventDefault();
      if (carriesCaptures(dataTransfer)) openCaptures(workbench, droppedCaptures(dataTransfer), to);
      else if (dataTransfer.types.includes('Files')) void takeDropped(workbench, droppedFiles(dataTransfer), to);
      else takeText(workbench, dataTransfer, to);
    };
    // What a part of the window takes for itself does not come to its document's end.
    const end = (): void => {
      setPlace(null);
      // After those who take it; a tab that a drop has moved away has no end of its drag to tell of.
      setTimeout(() => {
        own = false;
      });
    };
    document.addEventListener('dragstart', start, true);
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    document.addEventListener('drop', end, true);
    document.addEventListener('dragend', end, true);
    return () => {
      document.removeEventListener('dragstart', start, true);
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

function openCaptures({ library, tabs }: Workbench, ids: readonly string[], { pane }: Place): void {
  if (pane !== null) tabs.activatePane(pane);
  void library.open(ids);
}

/** Text that was selected in another program, as if it were pasted. */
function takeText(workbench: Workbench, dataTransfer: DataTransfer, place: Place): void {
  if (dataTransfer.getData('text/uri-list') !== '') {
    const remedy = 'Download its target and drop the file.';
    workbench.notify({ kind: 'error', text: 'A link is not a profile.', remedy, action: null });
    return;
  }
  const text = dataTransfer.getData('text/plain');
  if (text.trim() !== '') takeFiles(workbench, [textFile(text, 'dropped.txt')], place);
}

async function takeDropped(workbench: Workbench, { files, folders }: Dropped, place: Place): Promise<void> {
  const { notify, report } = workbench;
  const refuse = (text: string, remedy: string | null = null): void => {
    notify({ kind: 'error', text, remedy, action: null });
  };
  const all = [...files];
  try {
    for (const folder of folders) {
      if (folder.name.endsWith('.trace')) {
        all.push(...(await instrumentsBundle(folder, refuse)));
        continue;
      }
      const { files: found, left } = await filesIn(folder);
      all.push(...found);
      if (found.length === 0) {
        refuse(`${folder.name} has no files.`, 'Subfolders are not scanned; drop them directly.');
      } else if (left > 0) {
        const text = `${folder.name} has ${countOf(left, 'more file')} than the ${count(found.length)} that were opened.`;
        notify({ kind: 'info', text, remedy: 'Drop only the files you want.', action: null });
      }
    }
    if (all.length > 0) takeFiles(workbench, all, place);
  } catch (error) {
    report(error);
  }
}

/** Instruments' profiles are folders. */
async function instrumentsBundle(
  folder: FileSystemDirectoryEntry,
  refuse: (text: string) => void,
): Promise<readonly File[]> {
  try {
    const { zipFolder } = await import('../ui/zip-folder.ts');
    return [await zipFolder(folder)];
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    refuse(`${folder.name} is ${error.message}.`);
    return [];
  }
}

function takeFiles(workbench: Workbench, dropped: readonly File[], { kind, pane }: Place): void {
  const { store, tabs, transfers, experiments, showDialog } = workbench;
  void experiments.importFiles(dropped.filter(({ name }) => isExperimentFile(name)));
  const files = dropped.filter((file) => !isExperimentFile(file.name));
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
  const { dialog } = store.get();
  if (first !== undefined && dialog !== null && LETS_GO.has(dialog.kind)) showDialog(null);
  if (first === undefined || second === undefined || more.length > 0 || store.get().dialog !== null) open();
  else showDialog({ kind: 'compare-files', files: [first, second], openBoth: open });
}

/** Dialogs that would only cover what was dropped; what is filled in elsewhere stays. */
const LETS_GO: ReadonlySet<OpenDialog['kind']> = new Set(['commands', 'keys', 'settings']);
