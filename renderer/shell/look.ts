import { useEffect, useSyncExternalStore } from 'react';
import type { Theme } from '../flame/flame-graph.types.ts';
import type { Preferences, PreferencesStore } from '../state/preferences.ts';
import { setNumberStyle } from './format.ts';
import { useTheme } from './theme.ts';
import { useWorkbench } from './workbench-context.ts';

type Density = Preferences['density'];

/** CSS pixels of a row of a table and of a frame in a graph. */
export const ROW_SIZES: Readonly<Record<Density, { readonly rowPx: number; readonly framePx: number }>> = {
  compact: { rowPx: 22, framePx: 18 },
  comfortable: { rowPx: 28, framePx: 22 },
};

/** Sizes that script and style have in common, as the settings choose them. */
export function useRowSizes(): { readonly rowPx: number; readonly framePx: number } {
  return ROW_SIZES[usePreference('density')];
}

export function usePreference<K extends keyof Preferences>(name: K): Preferences[K] {
  const { preferences } = useWorkbench();
  return useSyncExternalStore(preferences.subscribe, () => preferences.get()[name]);
}

export interface Look {
  readonly theme: Theme;
  /** Changes with the way in which numbers are written: what shows numbers is made anew by it. */
  readonly numbers: string;
}

/** Applies to the document what the settings say of its look, now and whenever they change. */
export function useLook(): Look {
  const theme = useTheme(usePreference('theme'));
  const density = usePreference('density');
  const motion = usePreference('motion');
  const fontPx = usePreference('fontPx');
  const monoFont = usePreference('monoFont');
  const monoFontPx = usePreference('monoFontPx');
  useEffect(() => {
    const { dataset, style } = document.documentElement;
    dataset['density'] = density;
    dataset['motion'] = motion;
    style.setProperty('--row', `${ROW_SIZES[density].rowPx}px`);
    style.setProperty('--frame', `${ROW_SIZES[density].framePx}px`);
    style.setProperty('--font-scale', String(fontPx / 12.5));
    style.setProperty('--mono-scale', String(monoFontPx / 12));
    if (monoFont.trim() === '') style.removeProperty('--mono');
    else style.setProperty('--mono', `'${monoFont.trim()}', ui-monospace, monospace`);
  }, [density, motion, fontPx, monoFont, monoFontPx]);
  return { theme, numbers: useNumberStyle() };
}

function useNumberStyle(): string {
  return `${usePreference('locale')} ${usePreference('digits')} ${usePreference('percentDigits')}`;
}

/** Has numbers written as the settings say, before what shows them hears of a change. Called once, before anything is shown. */
export function followNumberStyle(preferences: PreferencesStore): void {
  const apply = (): void => {
    setNumberStyle(preferences.get());
  };
  apply();
  preferences.subscribe(apply);
}
