import type { FrameDelta } from '#core/analyze/graph/flame-slice.ts';
import type { Theme } from '../colour/theme.ts';
import { oklch, toHex } from '../colour/oklch.ts';
import { deltaGroupOf, changeFraction, type DeltaGroup } from './frame-delta.ts';

type Lch = readonly [lightness: number, chroma: number, hue: number];

/**
 * Lower bounds of the colour steps, as a fraction of the larger side. A frame that one side lacks counts as a change of
 * 1.
 */
export const SIZE_STEPS: readonly number[] = [0, 0.05, 0.15, 0.4];

/** Orange-red and blue stay distinct with protanopia, deuteranopia and tritanopia. */
const GREW_HUE = 38;
const SHRANK_HUE = 248;
/** The same as grey frames in a profile's graphs. */
const NOISE: Readonly<Record<Theme, Lch>> = { dark: [0.42, 0.008, 250], light: [0.885, 0.006, 250] };

/** Lightness and chroma by step. Text on coloured frames is dark in both themes. */
const RAMPS: Readonly<Record<Theme, readonly (readonly [lightness: number, chroma: number])[]>> = {
  dark: [
    [0.63, 0.055],
    [0.65, 0.09],
    [0.67, 0.125],
    [0.69, 0.16],
  ],
  light: [
    [0.86, 0.055],
    [0.81, 0.09],
    [0.76, 0.125],
    [0.71, 0.16],
  ],
};
/** Makes *maybe* weaker than a certain change. */
const SUGGESTIVE_CHROMA = 0.55;
/** Blues in sRGB cannot be as saturated as reds. */
const BLUE_CHROMA = 0.85;

/** Returns a colour as `#rrggbb` on which the frame's text is readable. */
export function deltaColour(delta: FrameDelta, theme: Theme): string {
  return groupColour(deltaGroupOf(delta), stepOf(changeFraction(delta)), theme);
}

/** Returns the legend's colour of a group at a step. */
export function groupColour(group: DeltaGroup, step: number, theme: Theme): string {
  if (group === 'grey') return toHex(oklch(...NOISE[theme]));
  const isGrown = group === 'grew' || group === 'may-have-grown';
  const isShown = group === 'grew' || group === 'shrank';
  const [lightness, chroma] = RAMPS[theme][step]!;
  const share = (isShown ? 1 : SUGGESTIVE_CHROMA) * (isGrown ? 1 : BLUE_CHROMA);
  return toHex(oklch(lightness, chroma * share, isGrown ? GREW_HUE : SHRANK_HUE));
}

/** Returns an index into {@link SIZE_STEPS}. */
export function stepOf(size: number): number {
  return Math.max(
    0,
    SIZE_STEPS.findLastIndex((least) => size >= least),
  );
}
