import { useInsertionEffect, useSyncExternalStore } from 'react';
import type { Theme } from '#core/colour/theme.ts';

const darkSystem = (): MediaQueryList => window.matchMedia('(prefers-color-scheme: dark)');

function subscribe(listener: () => void): () => void {
  const system = darkSystem();
  system.addEventListener('change', listener);
  return () => {
    system.removeEventListener('change', listener);
  };
}

/** Returns the system's theme and sets it on the document, for its style sheet. */
export function useSystemTheme(): Theme {
  const isDark = useSyncExternalStore(subscribe, () => darkSystem().matches);
  const theme = isDark ? 'dark' : 'light';
  useInsertionEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  return theme;
}
