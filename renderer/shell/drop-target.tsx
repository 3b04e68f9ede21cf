import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useWorkbench } from './workbench-context.ts';

/** Files dropped anywhere in the window open, each in its own tab. */
export function DropTarget(): ReactElement | null {
  const { tabs, notify } = useWorkbench();
  const [hovering, setHovering] = useState(false);

  useEffect(() => {
    const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
    const over = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy';
      setHovering(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setHovering(false);
    };
    const drop = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setHovering(false);
      const items = [...(event.dataTransfer?.items ?? [])];
      const folders = items.filter((item) => item.webkitGetAsEntry()?.isDirectory === true).length;
      const files = items
        .filter((item) => item.webkitGetAsEntry()?.isDirectory !== true)
        .flatMap((item) => item.getAsFile() ?? []);
      if (folders > 0) {
        notify({ kind: 'error', text: 'A folder is no profile.', remedy: 'Drop the files inside it.', action: null });
      }
      tabs.openFiles(files);
    };
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
    };
  }, [tabs, notify]);

  return hovering ? (
    <div className="drop-target" aria-hidden="true">
      <p>Drop to open</p>
    </div>
  ) : null;
}
