import { useEffect } from 'react';
import { isTyping } from '../ui/is-typing.ts';
import { useWorkbench } from '../state/workbench-context.ts';

/** Returns a file with a profile's text. */
export const textFile = (text: string, name: string): File => new File([text], name, { type: 'text/plain' });

/** Opens a profile pasted outside a text field, from files or as text. */
export function usePaste(): void {
  const workbench = useWorkbench();
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      const { clipboardData } = event;
      if (clipboardData === null || isTyping(event) || workbench.store.get().dialog !== null) return;
      const text = clipboardData.getData('text/plain');
      const files = [...clipboardData.files];
      if (files.length === 0 && text.trim() === '') return;
      event.preventDefault();
      workbench.tabs.openFiles(files.length > 0 ? files : [textFile(text, 'clipboard.txt')]);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, [workbench]);
}
