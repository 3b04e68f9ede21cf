import { useEffect } from 'react';
import { isTyping } from '../shell/is-typing.ts';
import { useWorkbench } from '../shell/workbench-context.ts';

/** Keys that act on the profile in front, wherever the focus is but in a field or a dialog. */
export function useProfileKeys(focusSearch: () => void): void {
  const { preferences } = useWorkbench();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      if (event.key === '/') focusSearch();
      else if (event.key === 'd') preferences.set({ detailsOpen: !preferences.get().detailsOpen });
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', press);
    return () => {
      window.removeEventListener('keydown', press);
    };
  }, [focusSearch, preferences]);
}
