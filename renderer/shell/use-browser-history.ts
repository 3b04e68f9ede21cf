import { useEffect } from 'react';
import type { Navigation } from '../state/navigation.ts';
import { desktopShell } from '../ui/desktop.ts';
import { useWorkbench } from '../state/workbench-context.ts';

/** Meaning of an entry of the browser's history: the page, or a step back or forward. */
type HistoryEntry = 'back' | 'here' | 'forward';

const entryOf = (state: unknown): HistoryEntry | null =>
  typeof state === 'object' && state !== null && 'flamebench' in state ? (state.flamebench as HistoryEntry) : null;

/**
 * Makes Back and Forward of the browser and the mouse move through the window's own history without leaving the page:
 * the page's entry lies between two others, and arriving at one of those returns to it. Browsers skip entries created
 * before the user interacts with the page, so they are created at the first interaction.
 */
export function useBrowserHistory(): void {
  const { navigation } = useWorkbench();
  useEffect(() => (desktopShell() === null ? followBrowser(navigation) : followMouse(navigation)), [navigation]);
}

function followBrowser(navigation: Navigation): () => void {
  const enter = (): void => {
    stopWaiting();
    if (entryOf(history.state) !== null) return;
    history.replaceState({ flamebench: 'back' satisfies HistoryEntry }, '');
    history.pushState({ flamebench: 'here' satisfies HistoryEntry }, '');
    history.pushState({ flamebench: 'forward' satisfies HistoryEntry }, '');
    history.back();
  };
  const stopWaiting = (): void => {
    window.removeEventListener('pointerdown', enter, true);
    window.removeEventListener('keydown', enter, true);
  };
  const arrive = (event: PopStateEvent): void => {
    const entry = entryOf(event.state);
    if (entry === 'back') {
      history.forward();
      navigation.go(-1);
    } else if (entry === 'forward') {
      history.back();
      navigation.go(1);
    }
  };
  window.addEventListener('pointerdown', enter, true);
  window.addEventListener('keydown', enter, true);
  window.addEventListener('popstate', arrive);
  return () => {
    stopWaiting();
    window.removeEventListener('popstate', arrive);
  };
}

/** Handles the mouse's Back and Forward buttons in the desktop app, whose window has no browser history. */
function followMouse(navigation: Navigation): () => void {
  const release = (event: MouseEvent): void => {
    if (event.button !== 3 && event.button !== 4) return;
    event.preventDefault();
    navigation.go(event.button === 3 ? -1 : 1);
  };
  window.addEventListener('mouseup', release);
  return () => window.removeEventListener('mouseup', release);
}
