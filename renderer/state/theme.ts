import { useInsertionEffect, useSyncExternalStore } from 'react';
import type { ThemeChoice } from './preferences.ts';
import type { Theme } from '../ui/flame/flame-graph.types.ts';

const darkSystem = (): MediaQueryList => window.matchMedia('(prefers-color-scheme: dark)');

function subscribe(listener: () => void): () => void {
  const system = darkSystem();
  system.addEventListener('change', listener);
  return () => {
    system.removeEventListener('change', listener);
  };
}

/** The theme in use: the user's choice, else the system's. Sets it on the document, where the tokens read it. */
export function useTheme(choice: ThemeChoice): Theme {
  const systemIsDark = useSyncExternalStore(subscribe, () => darkSystem().matches);
  const theme = choice === 'system' ? (systemIsDark ? 'dark' : 'light') : choice;
  // Before the layout effects of what is drawn with the colours of the style.
  useInsertionEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  return theme;
}
