import { useEffect, useState, type ReactElement } from 'react';
import { carriesCaptures, droppedCaptures } from '../ui/lists/capture-drag.ts';
import { isExperimentFile } from '../state/experiments/actions.ts';
import type { OpenDialog } from '../state/workbench-state.ts';
import type { Workbench } from '../state/workbench.ts';
import { desktopShell } from '../ui/desktop.ts';
import { isTyping } from '../ui/is-typing.ts';
import { textFile } from './use-paste.ts';
import { useWorkbench } from '../state/workbench-context.ts';
import { isFolder } from '../ui/folder-entries.ts';
import { loadPart } from '../ui/load-part.ts';

/**
 * Where a drop goes: the library stores files, a pane or the rest of the window opens them. Captures of the library
 * open in the same way.
 */
interface DropPlace {
  readonly kind: 'library' | 'pane' | 'window';
  readonly pane: string | null;
  readonly box: DOMRect;
}

const TEXT: Readonly<Record<DropPlace['kind'], string>> = {
  library: 'Drop to keep in the library',
  pane: 'Drop to open here',
  window: 'Drop to open',
};

/** Types of text that other programs offer for dropping. */
const TEXTS = ['text/plain', 'text/uri-list'] as const;

/** Accepts drops anywhere in the window: files and captures open in tabs; the library stores files. */
export function DropTarget(): ReactElement | null {
  const workbench = useWorkbench();
  const [place, setPlace] = useState<DropPlace | null>(null);

  useEffect(() => {
    /** True while a tab, a capture or selected text of the window itself is dragged. */
    let own = false;
    const isTaken = (event: DragEvent, carried: DataTransfer, { kind }: DropPlace): boolean => {
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
    // Drops that a part of the window handles itself do not reach this listener.
    const end = (): void => {
      setPlace(null);
      // Runs after the drop handlers; a tab that a drop has moved away gets no dragend event.
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

function placeOf(target: EventTarget | null): DropPlace {
  const element = target instanceof Element ? target : document.documentElement;
  const library = element.closest('.sidebar');
  if (library !== null) return { kind: 'library', pane: null, box: library.getBoundingClientRect() };
  const pane = element.closest<HTMLElement>('.tab-group');
  if (pane !== null) return { kind: 'pane', pane: pane.dataset['pane'] ?? null, box: pane.getBoundingClientRect() };
  return { kind: 'window', pane: null, box: document.documentElement.getBoundingClientRect() };
}

function openCaptures({ library, tabs }: Workbench, ids: readonly string[], { pane }: DropPlace): void {
  if (pane !== null) tabs.activatePane(pane);
  void library.open(ids);
}

/** Opens text that was dragged from another program, as if it were pasted. */
function takeText(workbench: Workbench, dataTransfer: DataTransfer, place: DropPlace): void {
  if (dataTransfer.getData('text/uri-list') !== '') {
    const remedy = 'Download its target and drop the file.';
    workbench.notify({ kind: 'error', text: 'A link is not a profile.', remedy, action: null });
    return;
  }
  const text = dataTransfer.getData('text/plain');
  if (text.trim() !== '') takeFiles(workbench, [textFile(text, 'dropped.txt')], place);
}

async function takeDropped(workbench: Workbench, { files, folders }: Dropped, place: DropPlace): Promise<void> {
  try {
    const inside =
      folders.length === 0
        ? []
        : await (await loadPart(() => import('./dropped-folders.ts'))).filesOf(folders, workbench.notify);
    const all = [...files, ...inside];
    if (all.length > 0) takeFiles(workbench, all, place);
  } catch (error) {
    workbench.report(error);
  }
}

/** Extensions of files that load-testing tools write; the content decides. */
const LOAD_ENDINGS = /\.(?:txt|csv|json|dat|log|out|hlog|hgrm|hdr)$/i;

/** Shows results of load-testing tools as such; other files are opened or kept. */
function takeFiles(workbench: Workbench, dropped: readonly File[], place: DropPlace): void {
  if (place.kind === 'library' || !dropped.some(({ name }) => LOAD_ENDINGS.test(name))) {
    takeProfiles(workbench, dropped, place);
    return;
  }
  const take = async (): Promise<void> => {
    const { splitLoadResults } = await loadPart(() => import('../state/load-files.ts'));
    const { loads, others } = await splitLoadResults(dropped);
    if (others.length > 0) takeProfiles(workbench, others, place);
    if (loads.length > 0) workbench.tabs.openLoad({ page: 'tests', first: '', second: '' }, loads);
  };
  take().catch(workbench.report);
}

function takeProfiles(workbench: Workbench, dropped: readonly File[], { kind, pane }: DropPlace): void {
  const { store, tabs, transfers, experiments, showDialog } = workbench;
  void experiments.importFiles(dropped.filter(({ name }) => isExperimentFile(name)));
  const files = dropped.filter((file) => !isExperimentFile(file.name));
  if (kind === 'library') {
    void transfers.keepFiles(files);
    return;
  }
  if (pane !== null) tabs.activatePane(pane);
  const open = (): void => {
    // The desktop shell knows the path of a dropped file, so that it can be reopened later.
    const taken = desktopShell()?.openDropped?.(files) ?? [];
    tabs.openFiles(files.filter((_file, index) => taken[index] !== true));
  };
  const [first, second, ...more] = files;
  const { dialog } = store.get();
  if (first !== undefined && dialog !== null && LETS_GO.has(dialog.kind)) showDialog(null);
  if (first === undefined || second === undefined || more.length > 0 || store.get().dialog !== null) open();
  else showDialog({ kind: 'compare-files', files: [first, second], openBoth: open });
}

/** Dialogs that close on a drop; others keep what the user has entered. */
const LETS_GO: ReadonlySet<OpenDialog['kind']> = new Set(['commands', 'keys', 'settings']);

/** The content of a drop, read during its event, because the data is unavailable afterwards. */
export interface Dropped {
  readonly files: readonly File[];
  readonly folders: readonly FileSystemDirectoryEntry[];
}

function droppedFiles({ items }: DataTransfer): Dropped {
  const folders: FileSystemDirectoryEntry[] = [];
  const files: File[] = [];
  for (const item of items) {
    const entry = item.webkitGetAsEntry();
    const file = item.getAsFile();
    if (entry !== null && isFolder(entry)) folders.push(entry);
    else if (file !== null) files.push(file);
  }
  return { files, folders };
}
