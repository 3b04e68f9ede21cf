import { useEffect } from 'react';
import { isTyping } from './is-typing.ts';
import { pickFiles } from './pick-files.ts';
import { useWorkbench } from './workbench-context.ts';

export function useGlobalKeys(): void {
  const { showDialog, store, tabs } = useWorkbench();
  useEffect(() => {
    const withControl = (event: KeyboardEvent): boolean => {
      const key = event.key.toLowerCase();
      if (key === 'o') void pickFiles(tabs.openFiles);
      else if (key === 'k') showDialog(store.get().dialog?.kind === 'commands' ? null : { kind: 'commands' });
      else return false;
      return true;
    };
    const plain = (event: KeyboardEvent): boolean => {
      if (event.key === 'r') showDialog({ kind: 'record' });
      else if (event.key === '?') showDialog({ kind: 'keys' });
      else return false;
      return true;
    };
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey) return;
      const dialogOpen = store.get().dialog !== null && store.get().dialog?.kind !== 'commands';
      if (event.ctrlKey || event.metaKey) {
        if (!dialogOpen && !event.shiftKey && withControl(event)) event.preventDefault();
      } else if (!isTyping(event) && plain(event)) {
        event.preventDefault();
      }
    };
    window.addEventListener('keydown', press);
    return () => {
      window.removeEventListener('keydown', press);
    };
  }, [showDialog, store, tabs]);
}
