import type { Theme } from '../flame/graph.types.ts';
import { oklch, toHex } from '#core/colour/oklch.ts';

/** Number of colours between the smallest and the largest weight. */
export const HEAT_STEPS = 48;

interface Ramp {
  readonly lightness: readonly [least: number, most: number];
  readonly chroma: readonly [least: number, most: number];
  readonly hue: readonly [least: number, most: number];
}

/**
 * Ramps that differ from the background by lightness alone, so that they are readable with any colour blindness and in
 * print; hue is only an aid.
 */
const RAMPS: Readonly<Record<Theme, Ramp>> = {
  light: { lightness: [0.9, 0.36], chroma: [0.055, 0.125], hue: [80, 38] },
  dark: { lightness: [0.33, 0.93], chroma: [0.06, 0.1], hue: [38, 92] },
};

/** Returns colours as `#rrggbb`, from little to much weight. */
export function heatRamp(theme: Theme): string[] {
  const { lightness, chroma, hue } = RAMPS[theme];
  const between = ([from, to]: readonly [number, number], share: number): number => from + (to - from) * share;
  return Array.from({ length: HEAT_STEPS }, (_, step) => {
    const share = step / (HEAT_STEPS - 1);
    // Chroma is greatest in the middle of the ramp, where screens can show it.
    const middle = 1 + Math.sin(share * Math.PI) * 0.35;
    return toHex(oklch(between(lightness, share), between(chroma, share) * middle, between(hue, share)));
  });
}

/** Returns the colour index of a weight above 0, in proportion to it. */
export function heatStep(weight: number, maxWeight: number): number {
  return Math.max(0, Math.min(HEAT_STEPS - 1, Math.floor((weight / maxWeight) * HEAT_STEPS)));
}
