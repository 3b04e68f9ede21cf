import type { FrameDelta } from '#core/analyze/graph/flame-slice.ts';
import type { Theme } from '../../ui/flame/flame-graph.types.ts';
import { oklch, toHex } from '../../ui/flame/oklch.ts';
import { groupOf, sizeOf, type DeltaGroup } from './frame-delta.ts';

type Lch = readonly [lightness: number, chroma: number, hue: number];

/** Changes from these parts of the larger side on have the colour of their step; a frame that one side lacks changed by all of it. */
export const SIZE_STEPS: readonly number[] = [0, 0.05, 0.15, 0.4];

/** Orange-red and blue lie on either side of what protanopes, deuteranopes and tritanopes confuse. */
const GREW_HUE = 38;
const SHRANK_HUE = 248;
/** As grey frames of the profile's graphs. */
const NOISE: Readonly<Record<Theme, Lch>> = { dark: [0.42, 0.008, 250], light: [0.885, 0.006, 250] };

/** Lightness and chroma by step; text of coloured frames is dark in both themes. */
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
/** What is suggestive is never as strong as what is shown. */
const SUGGESTIVE_CHROMA = 0.55;
/** sRGB has no blues as strong as its reds. */
const BLUE_CHROMA = 0.85;

/** A `#rrggbb` that the text of its frames is readable on. */
export function deltaColour(delta: FrameDelta, theme: Theme): string {
  return groupColour(groupOf(delta), stepOf(sizeOf(delta)), theme);
}

/** Of the legend: a group in the colour of a step. */
export function groupColour(group: DeltaGroup, step: number, theme: Theme): string {
  if (group === 'grey') return toHex(oklch(...NOISE[theme]));
  const isGrown = group === 'grew' || group === 'may-have-grown';
  const isShown = group === 'grew' || group === 'shrank';
  const [lightness, chroma] = RAMPS[theme][step]!;
  const share = (isShown ? 1 : SUGGESTIVE_CHROMA) * (isGrown ? 1 : BLUE_CHROMA);
  return toHex(oklch(lightness, chroma * share, isGrown ? GREW_HUE : SHRANK_HUE));
}

/** → {@link SIZE_STEPS} */
export function stepOf(size: number): number {
  return Math.max(
    0,
    SIZE_STEPS.findLastIndex((least) => size >= least),
  );
}
