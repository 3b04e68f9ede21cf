import { useInsertionEffect, useSyncExternalStore } from 'react';
import type { Theme } from '#core/colour/theme.ts';

const darkSystem = (): MediaQueryList => window.matchMedia('(prefers-color-scheme: dark)');

function subscribe(listener: () => void): () => void {
  const system = darkSystem();
  system.addEventListener('change', listener);
  return () => system.removeEventListener('change', listener);
}

/**
 * Returns the theme in use: the user's choice, else the system's. Sets it on the document, where the style tokens read
 * it.
 */
export function useTheme(choice: Theme | 'system'): Theme {
  const systemIsDark = useSyncExternalStore(subscribe, () => darkSystem().matches);
  const theme = choice === 'system' ? (systemIsDark ? 'dark' : 'light') : choice;
  // Runs before the layout effects of components that draw with the theme's colours.
  useInsertionEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  return theme;
}
