import { useInsertionEffect, useSyncExternalStore } from 'react';
import type { Theme } from '../ui/flame/graph.types.ts';
import type { Preferences, PreferencesStore } from './preferences.ts';
import { setTextStyle } from '../ui/format.ts';
import { ROW_SIZES, type RowSizes } from '../ui/row-sizes.ts';
import { useTheme } from '../ui/theme.ts';
import { useWorkbench } from './workbench-context.ts';

export function usePreference<K extends keyof Preferences>(name: K): Preferences[K] {
  const { preferences } = useWorkbench();
  return useSyncExternalStore(preferences.subscribe, () => preferences.get()[name]);
}

export interface Appearance {
  readonly theme: Theme;
  /** A key of the style of numbers and names; components that show them remount when it changes. */
  readonly numbers: string;
  /** A key of the fonts; components that measure text remount when it changes. */
  readonly face: string;
  readonly sizes: RowSizes;
}

/** Applies the appearance settings to the document and keeps them applied. */
export function useAppearance(): Appearance {
  const theme = useTheme(usePreference('theme'));
  const density = usePreference('density');
  const motion = usePreference('motion');
  const fontPx = usePreference('fontPx');
  const monoFont = usePreference('monoFont');
  const monoFontPx = usePreference('monoFontPx');
  useInsertionEffect(() => {
    const { dataset, style } = document.documentElement;
    dataset['density'] = density;
    reduceMotion(motion);
    style.setProperty('--row', `${ROW_SIZES[density].rowPx}px`);
    style.setProperty('--frame', `${ROW_SIZES[density].framePx}px`);
    style.setProperty('--font-scale', String(fontPx / 12.5));
    style.setProperty('--mono-scale', String(monoFontPx / 12));
    if (monoFont.trim() === '') style.removeProperty('--mono');
    else style.setProperty('--mono', `'${monoFont.trim()}', ui-monospace, monospace`);
  }, [density, motion, fontPx, monoFont, monoFontPx]);
  return { theme, numbers: useTextStyle(), face: `${monoFont} ${monoFontPx} ${density}`, sizes: ROW_SIZES[density] };
}

function useTextStyle(): string {
  return `${usePreference('locale')} ${usePreference('digits')} ${usePreference('percentDigits')} ${usePreference('names')}`;
}

/** Applies the style of numbers and names before components are notified of a change. Call it once, before the first render. */
export function followTextStyle(preferences: PreferencesStore): void {
  const apply = (): void => setTextStyle(preferences.get());
  apply();
  preferences.subscribe(apply);
}

const SYSTEM = '(prefers-reduced-motion: reduce)';

/** Disables all animations and transitions, including ones added later. */
const STILL = `
  *, *::before, *::after {
    transition-duration: 0s !important;
    animation-duration: 0s !important;
    animation-iteration-count: 1 !important;
    scroll-behavior: auto !important;
  }
`;

let adopted: CSSStyleSheet | null = null;

/**
 * Reduces motion; `system` follows the system's setting. The rule is in a stylesheet of its own that applies only then,
 * because a rule for all elements costs time in each frame of a graph even if it depends on an attribute that the
 * document does not have.
 */
function reduceMotion(when: 'system' | 'reduced'): void {
  adopted ??= adopt();
  adopted.media.mediaText = when === 'reduced' ? 'all' : SYSTEM;
}

function adopt(): CSSStyleSheet {
  const sheet = new CSSStyleSheet({ media: SYSTEM });
  sheet.replaceSync(STILL);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return sheet;
}
