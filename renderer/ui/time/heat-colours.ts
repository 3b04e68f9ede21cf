import type { Theme } from '../flame/flame-graph.types.ts';
import { oklch, toHex } from '../flame/oklch.ts';

/** Colours between the least weight and the most. */
export const HEAT_STEPS = 48;

interface Ramp {
  readonly lightness: readonly [least: number, most: number];
  readonly chroma: readonly [least: number, most: number];
  readonly hue: readonly [least: number, most: number];
}

/**
 * From near the background to far from it by lightness alone, so that it reads in every kind of colour blindness and in print; the hue
 * only helps.
 */
const RAMPS: Readonly<Record<Theme, Ramp>> = {
  light: { lightness: [0.9, 0.36], chroma: [0.055, 0.125], hue: [80, 38] },
  dark: { lightness: [0.33, 0.93], chroma: [0.06, 0.1], hue: [38, 92] },
};

/** `#rrggbb` from little to much. */
export function heatRamp(theme: Theme): string[] {
  const { lightness, chroma, hue } = RAMPS[theme];
  const between = ([from, to]: readonly [number, number], share: number): number => from + (to - from) * share;
  return Array.from({ length: HEAT_STEPS }, (_, step) => {
    const share = step / (HEAT_STEPS - 1);
    // Chroma is greatest in the middle of the ramp, where the screen can show it.
    const middle = 1 + Math.sin(share * Math.PI) * 0.35;
    return toHex(oklch(between(lightness, share), between(chroma, share) * middle, between(hue, share)));
  });
}

/** Which colour a weight above 0 has: in proportion to it. */
export function heatStep(weight: number, maxWeight: number): number {
  return Math.max(0, Math.min(HEAT_STEPS - 1, Math.floor((weight / maxWeight) * HEAT_STEPS)));
}
